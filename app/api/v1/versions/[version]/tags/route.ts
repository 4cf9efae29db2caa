import { route } from '@/app/api/_http/route';
import { addTag, removeTag } from '@/app/api/v1/versions/endpoints';

export const { POST, DELETE } = route(addTag, removeTag);
