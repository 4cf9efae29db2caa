import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { images } = tables;

/** Columns that a form can offer; a table with more is no table of facts about images. */
const MOST = 50;

/** Names of the columns that came with the images of a project. One statement. */
export async function listColumns(db: Db, projectId: string): Promise<string[]> {
  const found = await db.execute<{ name: string }>(sql`
    select distinct jsonb_object_keys(i.columns) as name from ${images} i
    where i.project_id = ${projectId} and i.columns <> '{}'::jsonb order by 1 limit ${MOST}`);
  return found.rows.map(({ name }) => name);
}
