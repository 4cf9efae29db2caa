import sharp from 'sharp';
import type { ModelReply, ModelRequest } from './model-process';
import { ModelRunner } from './run-models';

/** The encoder of SAM 2 needs about 1.5 GB while it runs; a decoder with its embeddings less than 1 GB. */
const MAX_BYTES = 3e9;

sharp.cache(false);
sharp.concurrency(1);
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_BYTES) process.exit(1);
}, 250).unref();

// Ctrl-C reaches every process of a terminal; this one ends when its parent disconnects.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit(0));

const runner = new ModelRunner();

process.on('message', async ({ id, call }: ModelRequest) => {
  const started = performance.now();
  const reply = await runner.answer(call).then(
    (outcome): ModelReply => ({ id, outcome, ms: performance.now() - started }),
    (error): ModelReply => ({ id, failed: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(reply);
});
