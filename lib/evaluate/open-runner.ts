import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, eq } from 'drizzle-orm';
import { tables } from '@/db';
import type { ModelRunner } from '@/lib/evaluation/model-runner';
import type { JobContext } from '@/lib/jobs';
import { modelKey } from './model-key';
import { startModel } from './model-process';

const { modelFiles, models } = tables;

/** The graph that gives the gradient, as the trainer writes it. */
const GRADIENT = 'model.grad.onnx';

/** With the name that its rows go by. */
export type OpenedModel = ModelRunner & { readonly key: string };

/** A model of the registry in a process of its own, with its gradient where it came with one. */
export async function openRunner(
  { db, storage, signal }: JobContext,
  model: typeof models.$inferSelect,
): Promise<OpenedModel> {
  const [gradient] = await db
    .select({ blob: modelFiles.blob })
    .from(modelFiles)
    .where(and(eq(modelFiles.modelId, model.id), eq(modelFiles.kind, GRADIENT)));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-evaluate-'));
  const fetched = async (blob: string, name: string) => {
    const file = path.join(folder, name);
    await pipeline(await storage.get(blob), createWriteStream(file));
    return file;
  };
  try {
    // Files are read when the model is opened, and not after that.
    const runner = await startModel(
      {
        file: await fetched(model.blob, 'model.onnx'),
        gradientFile: gradient ? await fetched(gradient.blob, GRADIENT) : null,
        contract: model.contract,
      },
      {},
      signal,
    );
    return { ...runner, key: modelKey(model, gradient?.blob ?? null) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
