import { z } from 'zod';
import { jobHandler } from '@/lib/services/jobs';
import { TRAIN_SLURM_JOB } from '@/lib/services/training/runs/start-run';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';

/** Many at a time: they wait for Slurm, and use nothing of this machine. */
export const trainRunSlurm = jobHandler({
  kind: TRAIN_SLURM_JOB,
  input: z.object({ runId: z.uuid() }),
  atOnce: 100,
  run: (context, input) => superviseRun(context, input),
});
