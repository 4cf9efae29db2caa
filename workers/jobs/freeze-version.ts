import { z } from 'zod';
import { freezeVersion } from '@/lib/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/datasets/freeze/request';
import { FREEZE_JOB } from '@/lib/datasets/freeze/start-freeze';
import { jobHandler } from '@/lib/jobs';
import { Author } from './author';

export const freeze = jobHandler({
  kind: FREEZE_JOB,
  input: z.object({ projectId: z.uuid(), request: FreezeRequest, author: Author }),
  run: async (context, { author, ...input }) => {
    const frozen = await freezeVersion(context, author, input);
    const words = frozen.isNew
      ? `Froze version ${frozen.number}`
      : `Nothing has changed since version ${frozen.number}`;
    await context.log('info', `${words} (${frozen.hash.slice(0, 12)}).`);
    return { ...frozen };
  },
});
