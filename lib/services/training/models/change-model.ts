import { and, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { schedulePredictions } from '@/lib/services/inference/predictions';
import { rateSoon } from '@/lib/services/jobs/requests/rate-soon';

const { models } = tables;

export type ModelState = 'registered' | 'promoted' | 'archived';

/**
 * Promotes, archives or brings back a model. Of a project one model is promoted: the one before it steps back. A model
 * that is promoted begins to look at the images; from one that is not, nothing is suggested any more.
 */
export async function changeModel(
  db: Database,
  actor: Author,
  { projectId, modelId, state }: { projectId: string; modelId: string; state: ModelState },
): Promise<void> {
  await db.transaction(async (tx) => {
    // All of the project: of two who promote at once the second waits, and takes the place of the first.
    const all = await tx
      .select({ id: models.id, state: models.state, kind: models.kind })
      .from(models)
      .where(eq(models.projectId, projectId))
      .orderBy(models.id)
      .for('update');
    const before = all.find(({ id }) => id === modelId);
    if (state === 'promoted' && before && before.kind !== 'classifier')
      throw invalid(
        `It is ${before.kind === 'oracle' ? 'an oracle' : 'a decoder'}: only a classifier can be promoted. Choose it in an evaluation instead.`,
      );
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
    const startedBy = actorId(actor);
    if (state === 'promoted') await schedulePredictions(tx, { projectId, startedBy });
    // How far the promoted model is from the labels is part of their rating.
    if (state === 'promoted' || before?.state === 'promoted')
      await rateSoon(tx, { projectId, all: true, startedBy });
  });
}
