import { z } from 'zod';
import { sweepExports } from '@/lib/services/datasets/exports/export-jobs';
import { runImageChange } from '@/lib/services/images/change-images';
import { makeDerivatives } from '@/lib/services/images/derivatives';
import { ImageChange, ImageScope } from '@/lib/services/images/image-change';
import { ingestUpload } from '@/lib/services/images/ingest/ingest-upload';
import { releaseUploads } from '@/lib/services/images/ingest/uploads';
import { findLookalikes } from '@/lib/services/images/lookalikes';
import { jobHandler } from '@/lib/services/jobs';
import { collectBlobs } from '@/lib/services/storage/collect-blobs';
import { Author } from './author';

export const ingest = jobHandler({
  kind: 'ingest',
  input: z.object({ uploadId: z.uuid() }),
  run: async (context, { uploadId }) => ({ ...(await ingestUpload(context, uploadId)) }),
});

export const derivatives = jobHandler({
  kind: 'derivatives',
  input: z.object({ projectId: z.uuid() }),
  run: makeDerivatives,
});

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

export const lookalikes = jobHandler({
  kind: 'find-lookalikes',
  input: z.object({ projectId: z.uuid() }),
  run: findLookalikes,
});

export const collect = jobHandler({
  kind: 'collect-blobs',
  input: z.object({}),
  async run({ db, storage, signal, progress }) {
    await releaseUploads(db);
    await sweepExports(db);
    const collected = await collectBlobs(db, storage, { signal, progress: (n) => progress(n, null) });
    return { ...collected };
  },
});
