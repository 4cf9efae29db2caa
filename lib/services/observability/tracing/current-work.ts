import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActionCall } from './action-call';

/** What this process is doing at this point of the code: answering a request, or running a job. */
export interface Work {
  /** Of the request; of a job, that of the request that started it. */
  requestId: string | null;
  jobId?: string;
  /** The pattern of the path, once the endpoint is known. */
  route?: string;
  /** Of a request that calls a server action. */
  action?: ActionCall;
  /** Counted when traces are switched on. */
  sql?: { statements: number; milliseconds: number };
}

/** Next bundles its own copy of this file; both have to see the same work. */
const held = globalThis as { tesseraWork?: AsyncLocalStorage<Work> };

function storage(): AsyncLocalStorage<Work> {
  held.tesseraWork ??= new AsyncLocalStorage();
  return held.tesseraWork;
}

export const currentWork = (): Work | undefined => storage().getStore();

export const during = <T>(work: Work, run: () => T): T => storage().run(work, run);
