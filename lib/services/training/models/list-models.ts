import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { ModelKind } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import { withoutImages } from '../report/without-images';

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
