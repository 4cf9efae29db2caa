import { Histogram } from './histogram';

interface Observed {
  /** From a cached read to an export that had to wait. */
  requests: Histogram;
  /** From a thumbnail to a night of training. */
  jobs: Histogram;
}

/** Next bundles its own copy of this file; both have to count in one place. */
const held = globalThis as { tesseraObserved?: Observed };

export function observed(): Observed {
  held.tesseraObserved ??= {
    requests: new Histogram([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
    jobs: new Histogram([0.1, 1, 10, 60, 600, 3600, 36_000]),
  };
  return held.tesseraObserved;
}

/** `route` is the pattern with its placeholders, never a path with ids: one series each, not one per id. */
export const observeRequest = (method: string, route: string, status: number, seconds: number): void =>
  observed().requests.observe({ method, route, status }, seconds);

export const observeJob = (kind: string, outcome: string, seconds: number): void =>
  observed().jobs.observe({ kind, outcome }, seconds);
