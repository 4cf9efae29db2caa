import { connect } from '@/db';
import { exportVersion } from '@/lib/services/datasets/exports/export-version';
import { storage } from '@/lib/services/storage';

/** An export in a process of its own, for tests that kill it or let it run into a limit. Says each file it wrote. */
const [projectId = '', out = ''] = process.argv.slice(2);
const db = connect(process.env.DATABASE_URL as string);
try {
  await exportVersion(
    {
      db,
      storage: storage(),
      signal: new AbortController().signal,
      progress: async (done, total, text) => console.log(JSON.stringify({ done, total, text })),
    },
    { projectId, version: 'latest', format: 'coco', options: {} },
    out,
  );
  console.log(JSON.stringify({ whole: true }));
} catch (error) {
  const { kind, message } = error as { kind?: string; message: string };
  console.log(JSON.stringify({ kind, message }));
}
await db.$client.end();
