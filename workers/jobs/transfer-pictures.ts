import { z } from 'zod';
import { runTransfer } from '@/lib/services/evaluations/transfer/run-transfer';
import { MAX_MODELS, TRANSFER_JOB } from '@/lib/services/evaluations/transfer/start-transfer';
import { jobHandler } from '@/lib/services/jobs';

/** One at a time: it uses the processors as an evaluation does. */
export const transferPictures = jobHandler({
  kind: TRANSFER_JOB,
  input: z.object({ projectId: z.uuid(), evaluationIds: z.array(z.uuid()).min(2).max(MAX_MODELS) }),
  atOnce: 1,
  run: (context, input) => runTransfer(context, input),
});
