import { z } from 'zod';
import { COMPARE_JOB, compareAnswers } from '@/lib/services/crowd/signals/compare-answers';
import { jobHandler } from '@/lib/services/jobs';

/** One at a time: a segmentation model fills the cores. */
export const compare = jobHandler({
  kind: COMPARE_JOB,
  input: z.object({ projectId: z.uuid() }),
  atOnce: 1,
  run: compareAnswers,
});
