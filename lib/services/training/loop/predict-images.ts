import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { invalid } from '@/lib/core/errors';
import { getPromotedModel } from '@/lib/services/inference/predictions';
import { readServingContract, type ServingContract } from '@/lib/services/inference/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { rateSoon } from '@/lib/services/jobs';
import { PredictProcess } from '../../inference/predict/model-process';
import type { Picture } from '../../inference/predict/run-model';

const { images, jobs, labels, predictions } = tables;

/** Of a stored picture; ingest lets in less. */
const MAX_BYTES = 256_000_000;
/** Pictures at a time: few enough that their masks stay small in memory. */
const MAX_PARALLEL = 16;
const MASK_BYTES = 128_000_000;

type Model = NonNullable<Awaited<ReturnType<typeof getPromotedModel>>>;

/**
 * Runs the promoted model over the images it has not seen. What is written stays: stopped or failed, the next job goes
 * on from there. It ends when another model takes its place.
 */
export async function predictImages(
  context: JobContext,
  { projectId }: { projectId: string },
): Promise<{ model: string | null; images: number; unreadable: number }> {
  const { db, storage } = context;
  const model = await getPromotedModel(db, projectId);
  if (!model) return { model: null, images: 0, unreadable: 0 };
  const startedAt = await startOf(context);
  const total = await countUnseen(db, projectId, model.id);
  // An attempt that was interrupted may have seen them all, and rated nothing.
  if (total === 0) {
    await rateSeen(db, { projectId, modelId: model.id, startedAt });
    return { model: model.name, images: 0, unreadable: 0 };
  }
  const contract = readServingContract(model.contract);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-model-'));
  try {
    const file = path.join(folder, 'model.onnx');
    await pipeline(await storage.get(model.blob), createWriteStream(file));
    using served = new PredictProcess(file, contract);
    const counts = await predictAll(context, { projectId, model, contract, served, total });
    await rateSeen(db, { projectId, modelId: model.id, startedAt });
    return { model: model.name, ...counts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** When the job was first taken up: what its earlier attempts saw counts as well. */
async function startOf({ db, jobId }: JobContext): Promise<string> {
  const found = await db.execute<{ at: string }>(sql`
    select coalesce((select started_at from ${jobs} where id = nullif(${jobId}, '')::uuid), now())::text as at`);
  return found.rows[0]?.at ?? '';
}

/** How far the model is from the labels is part of their rating. */
async function rateSeen(
  db: Database,
  { projectId, modelId, startedAt }: { projectId: string; modelId: string; startedAt: string },
): Promise<void> {
  if (await hasLabels(db, modelId, startedAt))
    await db.transaction((tx) => rateSoon(tx, { projectId, all: true }));
}

/** New images rarely have labels, so no risk needs to be recalculated. */
async function hasLabels(db: Db, modelId: string, since: string): Promise<boolean> {
  const found = await db.execute(sql`
    select 1 from ${predictions} p join ${labels} l on l.image_id = p.image_id and l.is_current
    where p.model_id = ${modelId} and p.created_at >= ${since}::timestamptz limit 1`);
  return found.rows.length > 0;
}

interface Work {
  projectId: string;
  model: Model;
  contract: ServingContract;
  served: PredictProcess;
  total: number;
}

async function predictAll(context: JobContext, { projectId, model, contract, served, total }: Work) {
  const { db, signal } = context;
  const limit = atOnce(contract);
  let [images, unreadable, done] = [0, 0, 0];
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted();
    const page: UnseenImage[] = await unseenImages(db, { projectId, modelId: model.id, after, limit });
    if (page.length === 0) break;
    after = page.at(-1)?.id ?? null;
    const read = await readPictures(context, page);
    const said = (read.length > 0 ? await served.predict(read, signal) : []).flatMap((each, n) =>
      each ? [{ ...each, modelId: model.id, imageId: read[n]?.id as string }] : [],
    );
    // Promoted no more: what it says is not asked for.
    if ((await getPromotedModel(db, projectId))?.id !== model.id) {
      await context.log('info', `${model.name} is not promoted any more: it looks at no further images.`);
      break;
    }
    if (said.length > 0) await db.insert(predictions).values(said).onConflictDoNothing();
    images += said.length;
    unreadable += page.length - said.length;
    if (said.length < read.length)
      await context.log('warn', `${read.length - said.length} files are no picture any more.`);
    done += page.length;
    await context.progress(Math.min(done, total), total, `Images that ${model.name} has seen`);
  }
  if (images === 0 && unreadable > 0)
    throw invalid(`None of the ${unreadable} pictures could be read: see the log of the job.`);
  return { images, unreadable };
}

async function readPictures(
  { storage, log }: JobContext,
  page: readonly UnseenImage[],
): Promise<(Picture & { id: string })[]> {
  const read = await Promise.all(
    page.map(async ({ id, name, blob, width, height }) => {
      try {
        return [{ id, width, height, bytes: await storage.read(blob, MAX_BYTES) }];
      } catch (error) {
        await log('warn', `${name} could not be read: ${(error as Error).message}`);
        return [];
      }
    }),
  );
  return read.flat();
}

/** The masks of all that is looked at together are in memory at once. */
function atOnce({ input, channels }: ServingContract): number {
  const bytes = 4 * input.side * input.side * (channels.length + 4);
  return Math.max(1, Math.min(MAX_PARALLEL, Math.floor(MASK_BYTES / bytes)));
}

interface UnseenImage {
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

async function unseenImages(
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

async function countUnseen(db: Db, projectId: string, modelId: string): Promise<number> {
  const found = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from ${images} i where ${isUnseen(projectId, modelId)}`);
  return found.rows[0]?.n ?? 0;
}
