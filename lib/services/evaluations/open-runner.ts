import { and, eq } from 'drizzle-orm';
import { tables } from '@/db';
import type { ModelRunner } from '@/lib/core/robustness/model-runner';
import type { JobContext } from '@/lib/services/jobs';
import { modelKey } from './model-key';
import { startModel } from './model-process';
import { withFiles } from './with-files';

const { modelFiles, models } = tables;

/** The graph that gives the gradient, as the trainer writes it. */
export const GRADIENT = 'model.grad.onnx';

/** With the name that its rows go by. */
export type OpenedModel = ModelRunner & { readonly key: string };

/** A model of the registry in processes of its own, with its gradient where it came with one. */
export async function openRunner(
  { db, storage, signal }: Pick<JobContext, 'db' | 'storage' | 'signal'>,
  model: typeof models.$inferSelect,
  processes = 1,
): Promise<OpenedModel> {
  const [gradient] = await db
    .select({ blob: modelFiles.blob })
    .from(modelFiles)
    .where(and(eq(modelFiles.modelId, model.id), eq(modelFiles.kind, GRADIENT)));
  // Files are read when the model is opened, and not after that.
  return withFiles(storage, { model: model.blob, gradient: gradient?.blob ?? null }, async (files) => {
    const runner = await startModel(
      { file: files.model ?? '', gradientFile: files.gradient, contract: model.contract },
      { processes },
      signal,
    );
    return { ...runner, key: modelKey(model, gradient?.blob ?? null) };
  });
}
