import { z } from 'zod';
import { runExport } from '@/lib/services/datasets/exports/run-export';
import { EXPORT_JOB } from '@/lib/services/datasets/exports/start-export';
import { jobHandler } from '@/lib/services/jobs';

export const exportVersion = jobHandler({
  kind: EXPORT_JOB,
  input: z.object({ exportId: z.uuid() }),
  run: runExport,
});
