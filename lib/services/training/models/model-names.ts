import { and, eq, inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { models } = tables;

/** Names of models of a project, by id. One statement, and none for nobody. */
export async function modelNames(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: models.id, name: models.name })
    .from(models)
    .where(and(eq(models.projectId, projectId), inArray(models.id, [...ids])));
  return new Map(found.map(({ id, name }) => [id, name]));
}
