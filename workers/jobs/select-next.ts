import { z } from 'zod';
import { jobHandler } from '@/lib/services/jobs';
import { MOST_SELECTED, selectNext as run, SELECT_JOB } from '@/lib/services/training/loop/select-next';
import { Author } from './author';

export const selectNext = jobHandler({
  kind: SELECT_JOB,
  input: z.object({
    projectId: z.uuid(),
    stageId: z.uuid(),
    count: z.number().int().min(1).max(MOST_SELECTED),
    author: Author,
  }),
  run,
});
