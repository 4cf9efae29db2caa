import { and, eq } from 'drizzle-orm';
import { tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import type { LatentSpace } from '@/lib/core/robustness/fmr/latent-walk';
import { readDecoder } from '@/lib/core/robustness/onnx/decoder-contract';
import { resized } from '@/lib/core/robustness/pixels/resized';
import type { JobContext } from '@/lib/services/jobs';
import { startAutoencoder } from './companion-process';
import { modelKey } from './model-key';
import { isPlainGenerator } from './new-evaluation';
import { withFiles } from './with-files';

const { models } = tables;

/** What drives pictures away from a model; no space where small changes do. */
export interface OpenedGenerator extends AsyncDisposable {
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
  const drawing = await withFiles(storage, blobs, (files) =>
    startAutoencoder(
      { file: files.model ?? '', encoderFile: files.encoder, contract: row.contract },
      {},
      signal,
    ),
  );
  const own = { width: model.width, height: model.height };
  return {
    space: {
      encode: (pictures) => drawing.encode(pictures.map((picture) => resized(picture, drawing))),
      decode: async (places) => (await drawing.decode(places)).map((picture) => resized(picture, own)),
    },
    step: contract.step,
    key: modelKey(row, null),
    [Symbol.asyncDispose]: async () => drawing[Symbol.asyncDispose](),
  };
}
