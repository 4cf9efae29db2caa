import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { images, predictions } = tables;

export interface UnseenImage {
  id: string;
  name: string;
  blob: string;
  width: number;
  height: number;
}

/** Of an image `i`: in use, and the model has said nothing about it. */
const isUnseen = (projectId: string, modelId: string): SQL => sql`
  i.project_id = ${projectId} and i.state = 'active' and not exists (
    select 1 from ${predictions} p where p.model_id = ${modelId} and p.image_id = i.id)`;

export async function unseenImages(
  db: Db,
  {
    projectId,
    modelId,
    after,
    limit,
  }: { projectId: string; modelId: string; after: string | null; limit: number },
): Promise<UnseenImage[]> {
  const found = await db.execute<Record<string, unknown> & UnseenImage>(sql`
    select i.id, i.name, i.blob, i.width, i.height from ${images} i
    where ${isUnseen(projectId, modelId)} and (${after}::uuid is null or i.id > ${after}::uuid)
    order by i.id limit ${limit}`);
  return found.rows;
}

export async function countUnseen(db: Db, projectId: string, modelId: string): Promise<number> {
  const found = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from ${images} i where ${isUnseen(projectId, modelId)}`);
  return found.rows[0]?.n ?? 0;
}
