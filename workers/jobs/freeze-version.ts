import { z } from 'zod';
import { FREEZE_JOB, freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { Tag, tagVersion } from '@/lib/services/datasets/versions/mark-version';
import { jobHandler } from '@/lib/services/jobs';
import { Author } from './author';

export const freeze = jobHandler({
  kind: FREEZE_JOB,
  input: z.object({ projectId: z.uuid(), request: FreezeRequest, author: Author, tag: Tag.optional() }),
  run: async (context, { author, tag, ...input }) => {
    const frozen = await freezeVersion(context, author, input);
    if (tag)
      await tagVersion(context.db, author, { projectId: input.projectId, version: frozen.versionId, tag });
    const words = frozen.isNew
      ? `Froze version ${frozen.number}`
      : `Nothing has changed since version ${frozen.number}`;
    await context.log('info', `${words} (${frozen.hash.slice(0, 12)}).`);
    return { ...frozen };
  },
});
