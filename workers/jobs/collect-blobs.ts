import { z } from 'zod';
import { sweepExports } from '@/lib/datasets/exports/sweep-exports';
import { releaseUploads } from '@/lib/ingest/release-uploads';
import { jobHandler } from '@/lib/jobs';
import { collectBlobs } from '@/lib/storage/collect-blobs';

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
