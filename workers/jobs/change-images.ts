import { z } from 'zod';
import { changeManyImages } from '@/lib/images/change-many-images';
import { ImageChange, ImageScope } from '@/lib/images/image-change';
import { jobHandler } from '@/lib/jobs';

const Author = z.union([
  z.object({ kind: z.literal('system'), name: z.string() }),
  z.object({
    kind: z.literal('user'),
    userId: z.uuid(),
    name: z.string(),
    via: z.enum(['session', 'key']),
    requestId: z.string().nullable(),
  }),
]);

export const changeImages = jobHandler({
  kind: 'change-images',
  input: z.object({
    projectId: z.uuid(),
    change: ImageChange,
    scope: ImageScope,
    author: Author,
    until: z.uuid(),
  }),
  run: async (context, input) => ({ ...(await changeManyImages(context, input)) }),
});
