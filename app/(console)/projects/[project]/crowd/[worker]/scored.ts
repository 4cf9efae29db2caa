import type { WorkerCheck } from '@/lib/services/crowd/overview/worker-stages';

/** Converts checks to the input of lib/core/quality. */
export const scored = (checks: WorkerCheck[]) =>
  checks.map(({ target, passed, score }) => ({ target, passed: passed ?? false, score: score ?? {} }));
