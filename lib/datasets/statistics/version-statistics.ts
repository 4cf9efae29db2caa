import { eq } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { type Author, actorId } from '@/lib/auth/actor';
import { enqueue, type JobContext } from '@/lib/jobs';
import { type Statistics, statisticsOf } from '@/lib/statistics';
import { findVersion } from '../versions/find-version';
import { openVersion } from '../versions/open-version';

const { versionStatistics } = tables;

export const STATISTICS_JOB = 'version-statistics';

/** The statistics of a version, or null before they were computed. */
export async function readStatistics(db: Db, versionId: string): Promise<Statistics | null> {
  const [row] = await db
    .select({ document: versionStatistics.document })
    .from(versionStatistics)
    .where(eq(versionStatistics.versionId, versionId));
  return (row?.document as unknown as Statistics) ?? null;
}

/** Starts the job that computes them, unless they are there. */
export async function startStatistics(
  db: Database,
  actor: Author,
  input: { projectId: string; version: string },
): Promise<{ jobId: string | null }> {
  const { id, number } = await findVersion(db, input);
  if (await readStatistics(db, id)) return { jobId: null };
  const jobId = await db.transaction((tx) =>
    enqueue(
      tx,
      STATISTICS_JOB,
      { projectId: input.projectId, version: id },
      { title: `Statistics of version ${number}`, projectId: input.projectId, startedBy: actorId(actor) },
    ),
  );
  return { jobId };
}

/** Computes and keeps them: once is enough, a version never changes. */
export async function computeStatistics(
  { db, storage, signal, progress }: Pick<JobContext, 'db' | 'storage' | 'signal' | 'progress'>,
  input: { projectId: string; version: string },
): Promise<Statistics> {
  const version = await findVersion(db, input);
  const dataset = await openVersion(db, storage, version);
  const statistics = await statisticsOf(dataset, async (done) => {
    signal.throwIfAborted();
    await progress(done, dataset.count);
  });
  await db
    .insert(versionStatistics)
    .values({ versionId: version.id, document: statistics as unknown as Record<string, unknown> })
    .onConflictDoNothing();
  return statistics;
}
