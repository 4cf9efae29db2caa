import { and, desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { models } = tables;

/** The model of a project that is in use; of a project one at most is promoted. */
export async function promotedModel(db: Db, projectId: string) {
  const [model] = await db
    .select({ id: models.id, name: models.name, blob: models.blob, contract: models.contract })
    .from(models)
    .where(and(eq(models.projectId, projectId), eq(models.state, 'promoted')))
    .orderBy(desc(models.id))
    .limit(1);
  return model ?? null;
}
