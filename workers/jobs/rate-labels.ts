import { z } from 'zod';
import { rateLabels } from '@/lib/services/curation/audit/rate-labels';
import { jobHandler } from '@/lib/services/jobs';

/** How likely each label is wrong: what the audit queue is ordered by. */
export const rate = jobHandler({
  kind: 'rate-labels',
  input: z.object({ projectId: z.uuid(), all: z.boolean().default(false) }),
  run: rateLabels,
});
