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
import { startModel } from '../inference/runner/processes';

const { modelFiles, models } = tables;

/** Gradient graph exported by the trainer. */
export const GRADIENT = 'model.grad.onnx';

/** With the key of its rows. */
export type OpenedModel = ModelRunner & { readonly key: string };

/** Opens a registered model in child processes, with its gradient graph if available. */
export async function openModelRunner(
  { db, storage, signal }: Pick<JobContext, 'db' | 'storage' | 'signal'>,
  model: typeof models.$inferSelect,
  processes = 1,
): Promise<OpenedModel> {
  const [gradient] = await db
    .select({ blob: modelFiles.blob })
    .from(modelFiles)
    .where(and(eq(modelFiles.modelId, model.id), eq(modelFiles.kind, GRADIENT)));
  // The files are read only while the model is opened.
  return withBlobFiles(storage, { model: model.blob, gradient: gradient?.blob ?? null }, async (files) => {
    const runner = await startModel(
      { file: files.model ?? '', gradientFile: files.gradient, contract: model.contract },
      { processes },
      signal,
    );
    return { ...runner, key: modelKey(model, gradient?.blob ?? null) };
  });
}

/** Provides blobs as files in a temporary folder. */
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

/** Increased when the preprocessing changes: stored rows are then not reused. */
const PREPARED = 2;

/** Key of a model: file, contract and gradient graph. */
export const modelKey = (
  { blob, contract }: { blob: string; contract: Record<string, unknown> },
  gradient: string | null,
): string => sha256Of(Buffer.from(JSON.stringify([PREPARED, blob, contract, gradient])));
