import os from 'node:os';
import path from 'node:path';
import { inTurn } from '@/lib/core/concurrency';
import { TesseraError } from '@/lib/core/errors';
import type { ChildReply, ChildRequest } from './child-messages';
import { firstLine } from './first-line';

export type Answer = (call: string, given: unknown) => Promise<unknown>;

/** The other end of `AskedChild`: keeps within its memory, and answers one question after the other. */
export function serveChild(answer: Answer): void {
  const turn = inTurn();
  hearQuestions((call, given) => turn(() => answer(call, given)));
}

/** The same for who puts the questions into a row by itself. */
export function hearQuestions(answer: Answer): void {
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

  process.on('message', async ({ id, call, given }: ChildRequest) => {
    const reply = await replyTo(id, () => answer(call, given));
    // A timer has to wait for the runs. To look after each of a small model's takes a fiftieth of its time.
    if (performance.now() - looked > 25) keepWithin();
    process.send?.(reply);
  });
}

export async function replyTo(id: number, answer: () => Promise<unknown>): Promise<ChildReply> {
  try {
    return { id, answer: await answer() };
  } catch (error) {
    return { id, failed: firstLine(error), isTheirs: error instanceof TesseraError };
  }
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
