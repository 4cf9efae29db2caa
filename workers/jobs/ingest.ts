import { z } from 'zod';
import { ingestUpload } from '@/lib/services/images/ingest/ingest-upload';
import { jobHandler } from '@/lib/services/jobs';

export const ingest = jobHandler({
  kind: 'ingest',
  input: z.object({ uploadId: z.uuid() }),
  run: async (context, { uploadId }) => ({ ...(await ingestUpload(context, uploadId)) }),
});
