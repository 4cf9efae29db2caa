import { z } from 'zod';
import { VERIFY_JOB, verifyVersion } from '@/lib/services/datasets/versions/verify-version';
import { jobHandler } from '@/lib/services/jobs';

export const verify = jobHandler({
  kind: VERIFY_JOB,
  input: z.object({ projectId: z.uuid(), version: z.uuid() }),
  run: async ({ db, storage, signal, progress, log }, input) => {
    const found = await verifyVersion(db, storage, input, { signal, progress });
    for (const problem of found.problems) await log('error', problem);
    if (found.isWhole) await log('info', `All ${found.images} images and the manifest hash to their names.`);
    return { ...found };
  },
});
