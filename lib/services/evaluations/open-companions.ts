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
import { isPlainGenerator } from './evaluation-request';
import { modelKey, openModelRunner, withBlobFiles } from './open-model-runner';
import { startAutoencoder, startEmbedder } from './runner/processes';

const { models } = tables;

/** Other models whose majority is asked what is still to be seen; null where none was named. */
export interface OracleModels extends AsyncDisposable {
  oracle: Oracle | null;
  /** Who they are: part of the name of rows that depend on them. */
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
    // One after the other: a process that starts while another is refused would be nobody's.
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
      `"${row.name}" looks at ${judge.width} × ${judge.height} pixels, the model at ${model.width} × ${model.height}: as oracle choose one of the same size.`,
    );
  const places = judge.classes.map((name) => model.classes.indexOf(name));
  return async (picture) => {
    const [logits] = await judge.logits([picture]);
    const place = logits && places[logits.indexOf(Math.max(...logits))];
    return place === undefined || place === -1 ? null : place;
  };
}

/** An image encoder with the words of the classes. Its own size is not the model's: it is shown the picture resized. */
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

/** What drives pictures away from a model; no space where small changes do. */
interface OpenedGenerator extends AsyncDisposable {
  space: LatentSpace | null;
  /** Length of a step, as its contract says; null where there is no decoder. */
  step: number | null;
  /** Which decoder: part of the name of rows that depend on it. */
  key: string;
}

/** Opens the decoder that an evaluation names, at the size of the model that is evaluated. */
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
