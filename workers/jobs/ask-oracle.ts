import { z } from 'zod';
import { ORACLE_JOB } from '@/lib/services/crowd/oracle/wake-evaluation';
import { resumeEvaluation } from '@/lib/services/evaluations/crowd/ask-round';
import { jobHandler } from '@/lib/services/jobs';

export const askOracle = jobHandler({
  kind: ORACLE_JOB,
  input: z.object({ evaluationId: z.uuid() }),
  run: (context, input) => resumeEvaluation(context, input),
});
