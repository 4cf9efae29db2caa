import { z } from 'zod';
import { jobHandler } from '@/lib/services/jobs';
import { TRAIN_JOB } from '@/lib/services/training/runs/start-run';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';

/** One at a time: a run uses every processor there is. */
export const trainRun = jobHandler({
  kind: TRAIN_JOB,
  input: z.object({ runId: z.uuid() }),
  atOnce: 1,
  run: (context, input) => superviseRun(context, input),
});
