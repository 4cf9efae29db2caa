import { and, eq, inArray } from 'drizzle-orm';
import { tables } from '@/db';
import { invalid, notFound } from '@/lib/core/errors';
import type { LatentSpace } from '@/lib/core/robustness/fmr/generators';
import {
  classifyByEmbedding,
  MAX_EMBEDDING_BYTES,
  majority,
  type Oracle,
  readWordEmbeddings,
} from '@/lib/core/robustness/fmr/oracles';
import { readDecoder, readOracle } from '@/lib/core/robustness/onnx/companion-contracts';
import { resizePicture } from '@/lib/core/robustness/pixels/resample';
import type { ModelRunner } from '@/lib/core/robustness/types';
import type { JobContext } from '@/lib/services/jobs';
import { startAutoencoder, startEmbedder } from '../inference/runner/processes';
import { isPlainGenerator } from './evaluation-request';
import { modelKey, openModelRunner, withBlobFiles } from './open-model-runner';

const { models } = tables;

/** Opened oracle models; the oracle is null without any. */
export interface OracleModels extends AsyncDisposable {
  oracle: Oracle | null;
  /** Key of the oracle; part of the row key. */
  key: string;
}

export async function openOracle(
  context: JobContext,
  { projectId, ids, model }: { projectId: string; ids: readonly string[]; model: ModelRunner },
): Promise<OracleModels> {
  if (ids.length === 0) return { oracle: null, key: '', async [Symbol.asyncDispose]() {} };
  const rows = await context.db
    .select()
    .from(models)
    .where(and(eq(models.projectId, projectId), inArray(models.id, [...ids])))
    .orderBy(models.blob, models.id);
  if (rows.length < new Set(ids).size) throw notFound('model');
  const opened: Opened[] = [];
  const close = async () => {
    for (const judge of opened) await judge[Symbol.asyncDispose]();
  };
  try {
    const oracles: Oracle[] = [];
    // Sequentially, so that no process leaks if a later one fails.
    for (const row of rows)
      oracles.push(
        await (row.kind === 'oracle' ? openEmbeddingOracle : openClassifierOracle)(
          context,
          row,
          model,
          opened,
        ),
      );
    return {
      oracle: majority(oracles),
      key: opened.map(({ key }) => key).join(' '),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Opened = AsyncDisposable & { readonly key: string };

async function openClassifierOracle(
  context: JobContext,
  row: typeof models.$inferSelect,
  model: ModelRunner,
  opened: Opened[],
): Promise<Oracle> {
  const judge = await openModelRunner(context, row);
  opened.push(judge);
  if (judge.width !== model.width || judge.height !== model.height)
    throw invalid(
      `"${row.name}" looks at ${judge.width} × ${judge.height} pixels, the model at ${model.width} × ${model.height}. Choose an oracle with the same input size.`,
    );
  const places = judge.classes.map((name) => model.classes.indexOf(name));
  return async (picture) => {
    const [logits] = await judge.logits([picture]);
    const place = logits && places[logits.indexOf(Math.max(...logits))];
    return place === undefined || place === -1 ? null : place;
  };
}

/** Opens a zero-shot oracle: an image encoder with word embeddings. Pictures are resized to its input size. */
async function openEmbeddingOracle(
  { storage, signal }: JobContext,
  row: typeof models.$inferSelect,
  model: ModelRunner,
  opened: Opened[],
): Promise<Oracle> {
  const { words: blob, classes, margin } = readOracle(row.contract);
  const words = readWordEmbeddings(await storage.read(blob, MAX_EMBEDDING_BYTES), classes);
  const embedder = await withBlobFiles(storage, { model: row.blob }, (files) =>
    startEmbedder({ file: files.model ?? '', contract: row.contract }, {}, signal),
  );
  opened.push({ key: modelKey(row, null), [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose]() });
  const places = classes.map((name) => model.classes.indexOf(name));
  return async (picture) => {
    const [embedding] = await embedder.embed([resizePicture(picture, embedder)]);
    const nearest = embedding ? classifyByEmbedding(embedding, words, margin) : null;
    const place = nearest === null ? -1 : (places[nearest] ?? -1);
    return place === -1 ? null : place;
  };
}

/** Opened generator; the latent space is null for built-in generators. */
interface OpenedGenerator extends AsyncDisposable {
  space: LatentSpace | null;
  /** Step size from the contract; null without a decoder. */
  step: number | null;
  /** Key of the decoder; part of the row key. */
  key: string;
}

/** Opens the decoder of an evaluation, resizing to the input size of the evaluated model. */
export async function openGenerator(
  { db, storage, signal }: Pick<JobContext, 'db' | 'storage' | 'signal'>,
  {
    projectId,
    generator,
    model,
  }: { projectId: string; generator: string; model: { width: number; height: number } },
): Promise<OpenedGenerator> {
  if (isPlainGenerator(generator))
    return { space: null, step: null, key: '', async [Symbol.asyncDispose]() {} };
  const [row] = await db
    .select()
    .from(models)
    .where(and(eq(models.projectId, projectId), eq(models.id, generator), eq(models.kind, 'decoder')));
  if (!row) throw notFound('decoder');
  const contract = readDecoder(row.contract);
  const blobs = { model: row.blob, encoder: contract.encoder };
  const drawing = await withBlobFiles(storage, blobs, (files) =>
    startAutoencoder(
      { file: files.model ?? '', encoderFile: files.encoder, contract: row.contract },
      {},
      signal,
    ),
  );
  const own = { width: model.width, height: model.height };
  return {
    space: {
      encode: (pictures) => drawing.encode(pictures.map((picture) => resizePicture(picture, drawing))),
      decode: async (places) => (await drawing.decode(places)).map((picture) => resizePicture(picture, own)),
    },
    step: contract.step,
    key: modelKey(row, null),
    [Symbol.asyncDispose]: async () => drawing[Symbol.asyncDispose](),
  };
}
