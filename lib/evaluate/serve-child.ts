import os from 'node:os';
import path from 'node:path';
import { TesseraError } from '@/lib/errors';
import type { ChildReply, ChildRequest } from './asked-child';
import { firstLine } from './open-session';

/**
 * The other end of `AskedChild`: keeps within its memory, and answers one question after the other. What a question
 * needs is fetched as soon as it is heard, while others are answered.
 */
export function serveChild(
  answer: (call: string, given: unknown) => Promise<unknown>,
  fetched: (given: unknown) => unknown = (given) => given,
): void {
  const mostBytes = Number(process.argv[2]) * 2 ** 20;
  let looked = 0;
  const keepWithin = () => {
    looked = performance.now();
    if (process.memoryUsage.rss() > mostBytes) process.exit(1);
  };
  setInterval(keepWithin, 100).unref();

  // Ctrl-C reaches every process of a terminal; this one ends when its parent lets go of it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit(0));

  // The runtime has one thread, and answers keep the order of the questions.
  let last: Promise<unknown> = Promise.resolve();
  process.on('message', ({ id, call, given }: ChildRequest) => {
    const here = Promise.resolve(fetched(given));
    // Heard of when it is its turn.
    here.catch(() => {});
    last = last
      .then(() => here)
      .then((it) => answer(call, it))
      .then(
        (said): ChildReply => ({ id, answer: said }),
        (error): ChildReply => ({ id, failed: firstLine(error), isTheirs: error instanceof TesseraError }),
      )
      .then((reply) => {
        // A timer has to wait for the runs. To look after each of a small model's takes a fiftieth of its time.
        if (performance.now() - looked > 25) keepWithin();
        process.send?.(reply);
      });
  });
}

/** A file that names further files by path finds none but its neighbours. They may go as soon as it is open. */
export async function besideFile<T>(file: string, open: () => Promise<T>): Promise<T> {
  process.chdir(path.dirname(file));
  try {
    return await open();
  } finally {
    process.chdir(os.tmpdir());
  }
}
