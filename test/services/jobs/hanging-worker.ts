import { z } from 'zod';
import { connect } from '@/db';
import { jobHandler } from '@/lib/services/jobs';
import { localDisk } from '@/lib/services/storage';
import { runWorker } from '@/workers/run';
import { impatient } from './worker';

/** A worker process whose job never ends, for a test that kills it. The job's progress says that it runs. */
await runWorker({
  signal: new AbortController().signal,
  db: connect(process.env.DATABASE_URL as string),
  storage: localDisk('/nonexistent'),
  queue: impatient,
  handlers: [
    jobHandler({
      kind: 'fragile',
      input: z.object({}),
      async run({ progress }) {
        await progress(1, 2, 'half way');
        await new Promise((resolve) => setTimeout(resolve, 10 * 60_000));
        return undefined;
      },
    }),
  ],
});
