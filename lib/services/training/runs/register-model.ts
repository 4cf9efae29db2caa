import { and, eq } from 'drizzle-orm';
import { type Db, newId, tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { JobContext } from '@/lib/services/jobs';
import { readAll } from '@/lib/services/storage';
import type { ExportCheck } from '../../inference/check-export';
import type { RunResult } from './follow-events';
import { chunks } from './keep-events';
import type { RunRow } from './prepare-run';

const { modelFiles, models, runFiles, versions } = tables;

/** Far more than a description takes. */
const LARGEST_CARD = 16 * 1024 * 1024;

/** Enters the model that a run made, with its contract and its lineage. Done twice, it is there once. */
export async function registerModel(
  { db, storage }: JobContext,
  run: RunRow,
  result: RunResult,
  /** How far the ONNX files are from PyTorch on the same input. */
  check: ExportCheck,
): Promise<{ id: string }> {
  const [known] = await db.select({ id: models.id }).from(models).where(eq(models.runId, run.id));
  if (known) return known;
  const files = await db.select().from(runFiles).where(eq(runFiles.runId, run.id));
  const blobOf = (name: string) => files.find(({ path }) => path === name);
  const [onnx, described] = [blobOf('artifacts/model.onnx'), blobOf('artifacts/model.json')];
  if (!onnx || !described)
    throw new TesseraError(
      'invalid',
      'The run succeeded without a model: artifacts/model.onnx or model.json is missing.',
    );
  const text = (await readAll(await storage.get(described.blob), LARGEST_CARD)).toString('utf8');
  const [version] = await db
    .select({ hash: versions.hash, number: versions.number })
    .from(versions)
    .where(eq(versions.id, run.versionId));
  const contract = {
    ...(JSON.parse(text) as Record<string, unknown>),
    lineage: { run: run.id, version: version?.hash, number: version?.number },
    metrics: withoutOutcomes(result.metrics ?? {}),
    check,
  };
  return db.transaction(async (tx) => {
    const id = newId();
    const [made] = await tx
      .insert(models)
      .values({
        id,
        projectId: run.projectId,
        runId: run.id,
        name: await freeName(tx, run),
        blob: onnx.blob,
        contract,
        createdBy: run.createdBy,
      })
      .onConflictDoNothing({ target: models.runId })
      .returning({ id: models.id });
    // Another worker was quicker.
    if (!made) return modelOf(tx, run);
    const others = files.filter(({ path }) => path.startsWith('artifacts/') && path !== onnx.path);
    for (const some of chunks(others))
      await tx.insert(modelFiles).values(
        some.map(({ path, blob, bytes }) => ({
          modelId: id,
          kind: path.slice('artifacts/'.length),
          blob,
          bytes,
        })),
      );
    return { id };
  });
}

async function modelOf(tx: Db, run: RunRow): Promise<{ id: string }> {
  const [known] = await tx.select({ id: models.id }).from(models).where(eq(models.runId, run.id));
  if (!known) throw new Error('A model that is in the way is there.');
  return known;
}

/** The outcome of every test image is most of a verdict's bytes. The run keeps it; the model does without. */
function withoutOutcomes(metrics: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(metrics.tests)) return metrics;
  const tests = metrics.tests.map((test: Record<string, unknown>) => {
    const { images: _, ...rest } = test ?? {};
    return rest;
  });
  return { ...metrics, tests };
}

/** The run's name, with a number where another model has it. */
async function freeName(tx: Db, run: RunRow): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? run.name : `${run.name} ${number}`;
    const [taken] = await tx
      .select({ id: models.id })
      .from(models)
      .where(and(eq(models.projectId, run.projectId), eq(models.name, name)));
    if (!taken) return name;
  }
}
