import type { WorkerCheck } from '@/lib/services/crowd/overview/worker-stages';

/** The checks in the form that the library of quality reads. */
export const scored = (checks: WorkerCheck[]) =>
  checks.map(({ target, passed, score }) => ({ target, passed: passed ?? false, score: score ?? {} }));
