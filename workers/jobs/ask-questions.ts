import { z } from 'zod';
import { askSomeFirstQuestions } from '@/lib/services/crowd/work';
import { jobHandler } from '@/lib/services/jobs';

/**
 * A job, because a project may begin to collect with a hundred thousand images. A transaction for some of them at a
 * time: what is asked stays asked when it is stopped, and nobody who changes an image waits for all the others.
 */
export const askQuestions = jobHandler({
  kind: 'ask-questions',
  input: z.object({ projectId: z.uuid() }),
  run: async ({ db, signal, progress }, { projectId }) => {
    let images = 0;
    for (let after: string | null = null; ; ) {
      signal.throwIfAborted();
      const page = await db.transaction((tx) => askSomeFirstQuestions(tx, { projectId, after }));
      if (page === null) return { images };
      after = page.last;
      images += page.images;
      await progress(images, null, 'Images asked about');
    }
  },
});
