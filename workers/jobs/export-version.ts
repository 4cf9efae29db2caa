import { z } from 'zod';
import { EXPORT_JOB, runExport } from '@/lib/services/datasets/exports/export-jobs';
import { jobHandler } from '@/lib/services/jobs';

export const exportVersion = jobHandler({
  kind: EXPORT_JOB,
  input: z.object({ exportId: z.uuid() }),
  run: runExport,
});
