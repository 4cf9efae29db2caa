import { z } from 'zod';
import { actOnRun } from '@/lib/services/curation/consensus/build-consensus';
import { JOB } from '@/lib/services/curation/consensus/start-run';
import { jobHandler } from '@/lib/services/jobs';

/** Both directions are one kind of job, so that they can never overtake each other in two queues. */
export const buildConsensus = jobHandler({
  kind: JOB,
  input: z.object({ runId: z.uuid(), act: z.enum(['build', 'take-back']) }),
  run: actOnRun,
});
