import { z } from 'zod';
import { computeStatistics, STATISTICS_JOB } from '@/lib/services/datasets/versions/version-statistics';
import { jobHandler } from '@/lib/services/jobs';

export const statistics = jobHandler({
  kind: STATISTICS_JOB,
  input: z.object({ projectId: z.uuid(), version: z.uuid() }),
  run: async (context, input) => {
    await computeStatistics(context, input);
    return undefined;
  },
});
