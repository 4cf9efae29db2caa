import { route } from '@/app/api/_http/route';
import { schemaEffects } from '@/app/api/v1/projects/schema-endpoints';

export const { POST } = route(schemaEffects);
