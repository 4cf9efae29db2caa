import { z } from 'zod';
import { importUpload } from '@/lib/services/datasets/import/import-upload';
import { jobHandler } from '@/lib/services/jobs';
import { Author } from './author';

export const importDataset = jobHandler({
  kind: 'import-dataset',
  input: z.object({ uploadId: z.uuid(), author: Author, mayAdopt: z.boolean() }),
  run: async (context, input) => ({ ...(await importUpload(context, input)) }),
});
