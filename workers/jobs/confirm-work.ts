import { z } from 'zod';
import { CONFIRM_JOB, confirmWork } from '@/lib/services/crowd/trust/confirm-work';
import { jobHandler } from '@/lib/services/jobs';

/** Requests second answers to the earlier work of an unreliable worker. */
export const confirm = jobHandler({
  kind: CONFIRM_JOB,
  input: z.object({ projectId: z.uuid(), stageId: z.uuid(), workerId: z.uuid() }),
  run: ({ db }, input) => confirmWork(db, input),
});
