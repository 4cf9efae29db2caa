import { AsyncLocalStorage } from 'node:async_hooks';

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

/** How far the call of a server action has come, for the web server that answers it. */
export interface ActionCall {
  /** Next has decoded the arguments and has called our code. */
  hasBegun: boolean;
  /** Why the arguments were refused. */
  malformed?: string;
}

/** Marks that our code runs: what fails from now on is a fault of ours. */
export function beginAction(): void {
  const call = currentWork()?.action;
  if (call) call.hasBegun = true;
}

/** The arguments of a server action do not fit its schemas. */
export class MalformedAction extends Error {
  constructor(reason: string) {
    super(`The arguments are not valid: ${reason}`);
    const call = currentWork()?.action;
    if (call) call.malformed = reason;
  }
}

const drainHolder = globalThis as { tesseraDraining?: AbortController };

function controller(): AbortController {
  drainHolder.tesseraDraining ??= new AbortController();
  return drainHolder.tesseraDraining;
}

/** From now on this process takes no new work: readiness says so, and streams end, to be opened elsewhere. */
export const beginDraining = (): void => controller().abort();

export const draining = (): AbortSignal => controller().signal;
