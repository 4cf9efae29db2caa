import { z } from 'zod';
import { runImageChange } from '@/lib/services/images/change-images';
import { ImageChange, ImageScope } from '@/lib/services/images/image-change';
import { jobHandler } from '@/lib/services/jobs';
import { Author } from './author';

export const changeImages = jobHandler({
  kind: 'change-images',
  input: z.object({
    projectId: z.uuid(),
    change: ImageChange,
    scope: ImageScope,
    author: Author,
    until: z.uuid(),
  }),
  run: async (context, input) => ({ ...(await runImageChange(context, input)) }),
});
