import { z } from 'zod';
import { measureVersion } from '@/lib/datasets/statistics/measure-version';
import { MEASURE_JOB } from '@/lib/datasets/statistics/start-measuring';
import { jobHandler } from '@/lib/jobs';

export const measure = jobHandler({
  kind: MEASURE_JOB,
  input: z.object({ projectId: z.uuid(), version: z.uuid() }),
  run: async ({ db, storage, signal, progress }, input) => {
    const { totals } = await measureVersion(db, storage, input, { signal, progress });
    return { images: totals.images };
  },
});
