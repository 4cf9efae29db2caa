import { z } from 'zod';
import { runEvaluation } from '@/lib/services/evaluations/run-evaluation';
import { EVALUATE_JOB } from '@/lib/services/evaluations/start-evaluation';
import { jobHandler } from '@/lib/services/jobs';

/** One at a time: an evaluation uses the processors as training does. */
export const evaluateModel = jobHandler({
  kind: EVALUATE_JOB,
  input: z.object({ evaluationId: z.uuid() }),
  atOnce: 1,
  run: (context, input) => runEvaluation(context, input),
});
