import { and, eq, sql } from 'drizzle-orm';
import { fromDrizzle } from 'pg-boss';
import { type Database, type Db, newId, type Transaction, tables } from '@/db';
import { currentWork } from '@/lib/services/observability/current-work';
import { announce } from './job-row';
import { withQueue } from './queue';

const { jobs, settings } = tables;

export interface JobMeta {
  /** What people read in the list of jobs: "Add 312 files". */
  title: string;
  projectId?: string | null;
  startedBy?: string | null;
}

/** Starts a job in the caller's transaction and returns its id. A rollback removes the job as well. */
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

/** Starts the collector once a day, whichever of many workers asks first. */
export async function scheduleCollection(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [due] = await tx
      .insert(settings)
      .values({ key: 'collector.lastStarted', value: sql`to_jsonb(now())` })
      .onConflictDoUpdate({
        target: settings.key,
        set: { value: sql`to_jsonb(now())`, updatedAt: sql`now()` },
        setWhere: sql`${settings.updatedAt} < now() - interval '1 day'`,
      })
      .returning({ key: settings.key });
    if (!due) return false;
    await enqueue(tx, 'collect-blobs', {}, { title: 'Delete files that nothing refers to' });
    return true;
  });
}

/** Has the items of images that have none made in the background, if the project collects. */
export async function askSoon(tx: Transaction, projectId: string): Promise<void> {
  const [project] = await tx
    .select({ state: tables.projects.state })
    .from(tables.projects)
    .where(eq(tables.projects.id, projectId));
  if (project?.state !== 'collecting') return;
  await enqueue(tx, 'ask-questions', { projectId }, { title: 'Make items for new images', projectId });
}

type Rating = {
  projectId: string;
  /** Also labels that were rated before: what is known of their authors may have changed. */
  all?: boolean;
  startedBy?: string | null;
};

/** Has labels rated in the background, unless that waits to be done already. Gives the job, if it is a new one. */
export async function rateSoon(
  tx: Db,
  { projectId, all = false, startedBy = null }: Rating,
): Promise<string | null> {
  const [waiting] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, 'rate-labels'), eq(jobs.state, 'queued')))
    .limit(1);
  // One that waits for new labels only does not do what is asked for here.
  if (waiting && !all) return null;
  const title = all ? 'Recalculate the risk of all labels' : 'Rate new labels';
  return enqueue(tx, 'rate-labels', { projectId, all }, { title, projectId, startedBy });
}
