import { route } from '@/app/api/_http/route';
import { getGuidePicture } from '@/app/api/v1/projects/guide-endpoints';

export const { GET } = route(getGuidePicture);
