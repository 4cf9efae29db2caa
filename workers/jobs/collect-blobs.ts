import { z } from 'zod';
import { sweepExports } from '@/lib/services/datasets/exports/export-jobs';
import { releaseUploads } from '@/lib/services/images/ingest/uploads';
import { jobHandler } from '@/lib/services/jobs';
import { collectBlobs } from '@/lib/services/storage/collect-blobs';

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
