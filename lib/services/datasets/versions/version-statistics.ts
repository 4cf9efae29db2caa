import { eq } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { type Statistics, statisticsEdition, summarizeDataset } from '@/lib/core/statistics';
import { enqueue, type JobContext } from '@/lib/services/jobs';
import { findLatestJob } from './list-versions';
import { findVersion, openVersion } from './open-version';

const { versionStatistics } = tables;

export const STATISTICS_JOB = 'version-statistics';

export const statisticsTitle = (number: number) => `Statistics of version ${number}`;

/** Reads the statistics of a version. Returns null if they are missing or from an older edition. */
export async function readStatistics(db: Db, versionId: string): Promise<Statistics | null> {
  const [row] = await db
    .select({ document: versionStatistics.document })
    .from(versionStatistics)
    .where(eq(versionStatistics.versionId, versionId));
  const found = row?.document as unknown as Statistics | undefined;
  return found?.edition === statisticsEdition ? found : null;
}

/** Starts the job that computes the statistics unless they exist. */
export async function startStatistics(
  db: Database,
  actor: Author,
  input: { projectId: string; version: string },
): Promise<{ jobId: string | null }> {
  const { id, number } = await findVersion(db, input);
  if (await readStatistics(db, id)) return { jobId: null };
  const title = statisticsTitle(number);
  const known = await findLatestJob(db, { projectId: input.projectId, kind: STATISTICS_JOB, title });
  if (known && !known.finishedAt) return { jobId: known.id };
  const jobId = await db.transaction((tx) =>
    enqueue(
      tx,
      STATISTICS_JOB,
      { projectId: input.projectId, version: id },
      { title, projectId: input.projectId, startedBy: actorId(actor) },
    ),
  );
  return { jobId };
}

/** Computes and stores the statistics. Versions never change, so this happens once. */
export async function computeStatistics(
  { db, storage, signal, progress }: Pick<JobContext, 'db' | 'storage' | 'signal' | 'progress'>,
  input: { projectId: string; version: string },
): Promise<Statistics> {
  const version = await findVersion(db, input);
  const dataset = await openVersion(db, storage, version);
  const statistics = await summarizeDataset(dataset, async (done) => {
    signal.throwIfAborted();
    await progress(done, dataset.count);
  });
  const document = { ...statistics };
  await db
    .insert(versionStatistics)
    .values({ versionId: version.id, document })
    .onConflictDoUpdate({ target: versionStatistics.versionId, set: { document } });
  return statistics;
}
