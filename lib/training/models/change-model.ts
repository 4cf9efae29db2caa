import { and, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { record } from '@/lib/audit';
import type { Author } from '@/lib/auth/actor';
import { notFound } from '@/lib/errors';

const { models } = tables;

export type ModelState = 'registered' | 'promoted' | 'archived';

/** Promotes, archives or brings back a model. Of a project one model is promoted: the one before it steps back. */
export async function changeModel(
  db: Database,
  actor: Author,
  { projectId, modelId, state }: { projectId: string; modelId: string; state: ModelState },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (state === 'promoted')
      await tx
        .update(models)
        .set({ state: 'registered' })
        .where(and(eq(models.projectId, projectId), eq(models.state, 'promoted')));
    const [changed] = await tx
      .update(models)
      .set({ state })
      .where(and(eq(models.projectId, projectId), eq(models.id, modelId)))
      .returning({ id: models.id, name: models.name });
    if (!changed) throw notFound('model');
    await record(tx, {
      actor,
      verb: `model.${state === 'promoted' ? 'promote' : state === 'archived' ? 'archive' : 'restore'}`,
      subject: 'model',
      subjectId: modelId,
      projectId,
      detail: { name: changed.name },
    });
  });
}
