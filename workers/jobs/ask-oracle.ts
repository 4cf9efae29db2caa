import { z } from 'zod';
import { goOn } from '@/lib/evaluate/crowd/go-on';
import { ORACLE_JOB } from '@/lib/evaluate/crowd/wake-evaluation';
import { jobHandler } from '@/lib/jobs';

export const askOracle = jobHandler({
  kind: ORACLE_JOB,
  input: z.object({ evaluationId: z.uuid() }),
  run: (context, input) => goOn(context, input),
});
