import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { ModelKind } from '@/db/schema';
import { type Author, actorId } from '@/lib/core/actor';
import { invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { schedulePredictions } from '@/lib/services/inference/predictions';
import { rateSoon } from '@/lib/services/jobs';
import { withoutImages } from './report/changed-settings';

const { evaluations, modelFiles, models, runs, users, versions } = tables;

export interface ModelView {
  id: string;
  name: string;
  kind: ModelKind;
  state: 'registered' | 'promoted' | 'archived';
  contract: Record<string, unknown>;
  sha256: string;
  runId: string | null;
  run: string | null;
  version: number | null;
  evaluations: number;
  by: string | null;
  at: Date;
}

/** Lists the models of a project, newest first, without results per test image. Uses one statement. */
export const listModels = (db: Db, projectId: string, limit = 200): Promise<ModelView[]> =>
  select(db, eq(models.projectId, projectId), limit, true);

export async function getModel(
  db: Db,
  { projectId, modelId }: { projectId: string; modelId: string },
): Promise<ModelView> {
  const [found] = await select(db, and(eq(models.projectId, projectId), eq(models.id, modelId)), 1);
  if (!found) throw notFound('model');
  return found;
}

const select = (db: Db, where: SQL | undefined, limit: number, isList = false): Promise<ModelView[]> =>
  db
    .select({
      id: models.id,
      name: models.name,
      kind: models.kind,
      state: models.state,
      contract: sql<Record<string, unknown>>`${isList ? withoutImages(models.contract) : models.contract}`,
      sha256: models.blob,
      runId: models.runId,
      run: runs.name,
      version: versions.number,
      evaluations: sql<number>`(select count(*)::int from ${evaluations} e where e.model_id = ${models.id})`,
      by: users.name,
      at: models.createdAt,
    })
    .from(models)
    .leftJoin(runs, eq(runs.id, models.runId))
    .leftJoin(versions, eq(versions.id, runs.versionId))
    .leftJoin(users, eq(users.id, models.createdBy))
    .where(where)
    .orderBy(desc(models.id))
    .limit(limit);

/** Models that can be evaluated and promoted. Oracles and decoders cannot. */
export const classifiersOf = (models: readonly ModelView[]): ModelView[] =>
  models.filter(({ kind }) => kind === 'classifier');

/** The ONNX file and its companion files. */
export async function listModelFiles(
  db: Db,
  modelId: string,
): Promise<{ kind: string; sha256: string; bytes: number }[]> {
  return db
    .select({ kind: modelFiles.kind, sha256: modelFiles.blob, bytes: modelFiles.bytes })
    .from(modelFiles)
    .where(eq(modelFiles.modelId, modelId))
    .orderBy(modelFiles.kind);
}

/** Returns the names of models by id, in one statement; no statement if there are no ids. */
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

export type ModelState = 'registered' | 'promoted' | 'archived';

/**
 * Promotes, archives or restores a model. A project has at most one promoted model, so promoting one demotes the previous
 * one. Promotion starts predictions for all images; other models make no suggestions.
 */
export async function changeModel(
  db: Database,
  actor: Author,
  { projectId, modelId, state }: { projectId: string; modelId: string; state: ModelState },
): Promise<void> {
  await db.transaction(async (tx) => {
    // Locks all models of the project: of two concurrent promotions, the second waits and wins.
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
    // The risk of a label depends on its disagreement with the promoted model.
    if (state === 'promoted' || before?.state === 'promoted')
      await rateSoon(tx, { projectId, all: true, startedBy });
  });
}
