import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { ModelKind } from '@/db/schema';
import { type Author, actorId } from '@/lib/core/actor';
import { invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { schedulePredictions } from '@/lib/services/inference/predictions';
import { rateSoon } from '@/lib/services/jobs/enqueue';
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

/** The models of a project, newest first, without the outcome of every test image. One statement. */
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

/** Those that can be evaluated and promoted; the others only help with that. */
export const classifiersOf = (models: readonly ModelView[]): ModelView[] =>
  models.filter(({ kind }) => kind === 'classifier');

/** The ONNX file and what belongs to it. */
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
