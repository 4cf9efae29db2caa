import { route } from '@/app/api/_http/route';
import { addGuidePicture } from '@/app/api/v1/projects/guide-endpoints';

export const { POST } = route(addGuidePicture);
