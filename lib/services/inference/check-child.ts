import { TesseraError } from '@/lib/core/errors';
import type { ChildReply, ChildRequest } from './serve-child';
import { compareExport } from './compare-export';

const maxBytes = Number(process.argv[2]) * 2 ** 20;
setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes) process.exit(1);
}, 100).unref();

// Ctrl-C reaches every process of a terminal; this one ends when its parent lets go of it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit(0));

process.on('message', async ({ id, payload: given }: ChildRequest) => {
  try {
    // A file that names further files by path finds none but its neighbours.
    process.chdir(given as string);
    process.send?.({ id, answer: await compareExport(given as string) } satisfies ChildReply);
  } catch (error) {
    process.send?.({
      id,
      failed: error instanceof Error ? error.message.slice(0, 300) : String(error),
      isUserError: error instanceof TesseraError,
    } satisfies ChildReply);
  }
});
