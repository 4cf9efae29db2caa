import os from 'node:os';
import path from 'node:path';
import { inTurn } from '@/lib/core/concurrency';
import { TesseraError } from '@/lib/core/errors';

type Answer = (call: string, payload: unknown) => Promise<unknown>;

/** Serves requests of a `ChildClient` in order and enforces the memory limit. */
export function serveRequests(answer: Answer): void {
  const turn = inTurn();
  listenForRequests((call, payload) => turn(() => answer(call, payload)));
}

/** Serves requests without queueing, for callers that queue themselves. */
export function listenForRequests(answer: Answer): void {
  const mostBytes = Number(process.argv[2]) * 2 ** 20;
  let checkedAt = 0;
  const keepWithin = () => {
    checkedAt = performance.now();
    if (process.memoryUsage.rss() > mostBytes) process.exit(1);
  };
  setInterval(keepWithin, 100).unref();

  // Ctrl-C reaches every process of a terminal; this one ends when its parent disconnects.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit(0));

  process.on('message', async ({ id, call, payload }: ChildRequest) => {
    const reply = await createReply(id, () => answer(call, payload));
    // Timers do not fire during model runs. Checking after every short run would take 2 % of the time.
    if (performance.now() - checkedAt > 25) keepWithin();
    process.send?.(reply);
  });
}

export async function createReply(id: number, answer: () => Promise<unknown>): Promise<ChildReply> {
  try {
    return { id, answer: await answer() };
  } catch (error) {
    return { id, failed: firstLineOf(error), isUserError: error instanceof TesseraError };
  }
}

/** Changes to the folder of the file while it is opened, so that relative paths cannot leave it. */
export async function runBesideFile<T>(file: string, open: () => Promise<T>): Promise<T> {
  process.chdir(path.dirname(file));
  try {
    return await open();
  } finally {
    process.chdir(os.tmpdir());
  }
}

export interface ChildRequest {
  id: number;
  call: string;
  payload: unknown;
}

/** `isUserError`: the message is shown to the user. */
export type ChildReply =
  | { id: number; answer: unknown }
  | { id: number; failed: string; isUserError: boolean };

/** Number of the shared file descriptor in the child. */
export const SHARED_FILE_DESCRIPTOR = 4;

/** First line of an error, because runtime errors are verbose. */
export const firstLineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 300) ?? '';
