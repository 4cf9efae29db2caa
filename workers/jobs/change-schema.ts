import { z } from 'zod';
import { jobHandler } from '@/lib/services/jobs';
import { applySchemaChange } from '@/lib/services/projects/schema';

/** A job, because a project may have a hundred thousand images. */
export const changeSchema = jobHandler({
  kind: 'change-schema',
  input: z.object({ projectId: z.uuid(), from: z.uuid(), to: z.uuid(), askAgain: z.boolean() }),
  run: async ({ db, signal, progress }, input) => {
    await applySchemaChange(db, input, async (done, text) => {
      signal.throwIfAborted();
      await progress(done, null, text);
    });
    return undefined;
  },
});
