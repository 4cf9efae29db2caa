import sharp from 'sharp';
import type { ModelReply, ModelRequest } from './model-process';
import { ModelRunner } from './run-models';

/** An encoder needs about 1.2 GB while it runs, the kept embeddings 0.2 GB. */
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

process.on('message', async ({ id, question }: ModelRequest) => {
  const started = performance.now();
  const reply = await runner.answer(question).then(
    (answer): ModelReply => ({ id, answer, ms: performance.now() - started }),
    (error): ModelReply => ({ id, failed: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(reply);
});
