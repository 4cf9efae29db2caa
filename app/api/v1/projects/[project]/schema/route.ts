import { route } from '@/app/api/_http/route';
import { getSchema, saveSchema } from '@/app/api/v1/projects/schema-endpoints';

export const { GET, PUT } = route(getSchema, saveSchema);
