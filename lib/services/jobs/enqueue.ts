import { sql } from 'drizzle-orm';
import { fromDrizzle } from 'pg-boss';
import { type Db, newId, tables } from '@/db';
import { currentWork } from '@/lib/services/observability/tracing/current-work';
import { announce } from './job-row';
import { withQueue } from './queue';

export interface JobMeta {
  /** What people read in the list of jobs: "Add 312 files". */
  title: string;
  projectId?: string | null;
  startedBy?: string | null;
}

/** Starts a job in the caller's transaction: if that is rolled back, there never was a job. Returns its id. */
export async function enqueue(tx: Db, kind: string, input: object, meta: JobMeta): Promise<string> {
  const id = newId();
  await tx.insert(tables.jobs).values({ id, kind, ...meta, requestId: currentWork()?.requestId ?? null });
  await withQueue(tx, async (queue) => {
    const sent = await queue.send(kind, input, { id, db: fromDrizzle(tx, sql) });
    if (sent !== id) throw new Error(`The queue did not take the job "${kind}".`);
  });
  await announce(tx, [id]);
  return id;
}
