import path from 'node:path';
import sharp from 'sharp';
import type { PredictReply, PredictRequest } from './model-process';
import { ServedModel } from './run-model';

/** A ResNet-50 with masks of forty parts needs about 1.5 GB for a batch. */
const MAX_BYTES = 3e9;

sharp.cache(false);
sharp.concurrency(1);
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_BYTES) process.exit(1);
}, 250).unref();

// Ctrl-C reaches every process of a terminal; this one ends when its parent lets go of it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit(0));

let model: Promise<ServedModel> | undefined;

process.on('message', async ({ id, file, contract, pictures }: PredictRequest) => {
  try {
    if (!model) {
      // A file that names further files by path finds none but itself.
      process.chdir(path.dirname(file));
      model = ServedModel.open(file, contract);
    }
    const predictions = await (await model).predict(pictures);
    process.send?.({ id, predictions } satisfies PredictReply);
  } catch (error) {
    process.send?.({
      id,
      failed: error instanceof Error ? error.message : String(error),
    } satisfies PredictReply);
  }
});
