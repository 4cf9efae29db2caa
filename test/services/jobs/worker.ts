import { setTimeout as wait } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { JobState } from '@/db/schema';
import type { Job, JobHandler } from '@/lib/services/jobs';
import { installQueues, queueOptions } from '@/lib/services/jobs/queue';
import { localDisk } from '@/lib/services/storage';
import { runWorker } from '@/workers/run';

/** As the product has them, but for one short retry instead of four that take minutes. */
export const impatient = { ...queueOptions, retryLimit: 1, retryDelay: 1 };

export const declare = (db: Database, kinds: readonly string[]) =>
  installQueues(db.$client.options.connectionString as string, kinds, impatient);

/** A worker in this process for the length of a story. */
export async function withWorker(
  db: Database,
  handlers: readonly JobHandler[],
  story: () => Promise<void>,
): Promise<void> {
  await declare(
    db,
    handlers.map((handler) => handler.kind),
  );
  const stop = new AbortController();
  const storage = localDisk('/nonexistent');
  const working = runWorker({ signal: stop.signal, db, storage, handlers, queue: impatient });
  try {
    await story();
  } finally {
    stop.abort();
    await working;
  }
}

export async function readJob(db: Database, id: string): Promise<Job> {
  const [job] = await db.select().from(tables.jobs).where(eq(tables.jobs.id, id));
  if (!job) throw new Error(`There is no job ${id}.`);
  return job;
}

/** Resolves as soon as the job is as wanted; the test's own time limit is the only deadline. */
export async function until(
  db: Database,
  id: string,
  wanted: JobState | ((job: Job) => boolean),
): Promise<Job> {
  for (;;) {
    const job = await readJob(db, id);
    if (typeof wanted === 'string' ? job.state === wanted : wanted(job)) return job;
    await wait(50);
  }
}
