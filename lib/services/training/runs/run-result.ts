import { z } from 'zod';

/** One of several processes was lost: no fault of the run, so that it is tried again as if all were lost. */
export const RANK_LOST = 'rank-lost';

/** The machine has no GPU that can be used: another may have one. */
export const NO_GPU = 'no-gpu';

/** The trainer's verdict, `result.json`. It beats the exit code, which does not survive every launcher. */
export const RunResult = z.looseObject({
  state: z.enum(['succeeded', 'failed', 'canceled', 'preempted']),
  error: z.looseObject({ message: z.string() }).nullish(),
  metrics: z.record(z.string(), z.unknown()).nullish(),
  artifacts: z.array(
    z.looseObject({ type: z.string(), path: z.string(), bytes: z.number(), sha256: z.string() }),
  ),
});

export type RunResult = z.infer<typeof RunResult>;
