import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, eq } from 'drizzle-orm';
import { tables } from '@/db';
import type { ModelRunner } from '@/lib/core/robustness/types';
import type { JobContext } from '@/lib/services/jobs';
import { type Storage, sha256Of } from '@/lib/services/storage';
import { startModel } from './runner/processes';

const { modelFiles, models } = tables;

/** The graph that gives the gradient, as the trainer writes it. */
export const GRADIENT = 'model.grad.onnx';

/** With the name that its rows go by. */
export type OpenedModel = ModelRunner & { readonly key: string };

/** A model of the registry in processes of its own, with its gradient where it came with one. */
export async function openModelRunner(
  { db, storage, signal }: Pick<JobContext, 'db' | 'storage' | 'signal'>,
  model: typeof models.$inferSelect,
  processes = 1,
): Promise<OpenedModel> {
  const [gradient] = await db
    .select({ blob: modelFiles.blob })
    .from(modelFiles)
    .where(and(eq(modelFiles.modelId, model.id), eq(modelFiles.kind, GRADIENT)));
  // Files are read when the model is opened, and not after that.
  return withBlobFiles(storage, { model: model.blob, gradient: gradient?.blob ?? null }, async (files) => {
    const runner = await startModel(
      { file: files.model ?? '', gradientFile: files.gradient, contract: model.contract },
      { processes },
      signal,
    );
    return { ...runner, key: modelKey(model, gradient?.blob ?? null) };
  });
}

/** Blobs as files of a folder of their own while something reads them: by name, null where there is none. */
export async function withBlobFiles<Name extends string, T>(
  storage: Storage,
  blobs: Readonly<Record<Name, string | null>>,
  work: (files: Record<Name, string | null>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-evaluate-'));
  try {
    const files = {} as Record<Name, string | null>;
    for (const [name, blob] of Object.entries(blobs) as [Name, string | null][]) {
      const file = blob && path.join(folder, name);
      if (blob && file) await pipeline(await storage.get(blob), createWriteStream(file));
      files[name] = file;
    }
    return await work(files);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Another number whenever pictures are brought to a model in another way: answers from before are not used again. */
const PREPARED = 2;

/** The same file with another contract, or another graph of its gradient, is another model. */
export const modelKey = (
  { blob, contract }: { blob: string; contract: Record<string, unknown> },
  gradient: string | null,
): string => sha256Of(Buffer.from(JSON.stringify([PREPARED, blob, contract, gradient])));
