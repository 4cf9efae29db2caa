import { z } from 'zod';
import { askFirstQuestions } from '@/lib/crowd/work';
import { jobHandler } from '@/lib/jobs';

/** A job, because a project may begin to collect with a hundred thousand images. */
export const askQuestions = jobHandler({
  kind: 'ask-questions',
  input: z.object({ projectId: z.uuid() }),
  run: async ({ db }, { projectId }) => {
    await db.transaction((tx) => askFirstQuestions(tx, { projectId }));
    return undefined;
  },
});
