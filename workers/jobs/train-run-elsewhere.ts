import { z } from 'zod';
import { jobHandler } from '@/lib/services/jobs';
import { TRAIN_ELSEWHERE_JOB } from '@/lib/services/training/runs/start-run';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';

/** Many at a time: they wait for a trainer elsewhere, and use nothing of this machine. */
export const trainRunElsewhere = jobHandler({
  kind: TRAIN_ELSEWHERE_JOB,
  input: z.object({ runId: z.uuid() }),
  atOnce: 100,
  run: (context, input) => superviseRun(context, input),
});
