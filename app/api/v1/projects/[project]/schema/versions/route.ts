import { route } from '@/app/api/_http/route';
import { listSchemaVersions } from '@/app/api/v1/projects/schema-endpoints';

export const { GET } = route(listSchemaVersions);
