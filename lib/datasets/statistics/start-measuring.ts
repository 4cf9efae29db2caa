import type { Database } from '@/db';
import { type Author, actorId } from '@/lib/auth/actor';
import { enqueue } from '@/lib/jobs';
import { findVersion } from '../versions/find-version';

export const MEASURE_JOB = 'measure-version';

export const measuringTitle = (number: number) => `Statistics of version ${number}`;

/** Starts to compute the statistics of a version. */
export async function startMeasuring(
  db: Database,
  actor: Author,
  input: { projectId: string; version: string },
): Promise<{ jobId: string }> {
  const { id, number } = await findVersion(db, input);
  const jobId = await db.transaction((tx) =>
    enqueue(
      tx,
      MEASURE_JOB,
      { projectId: input.projectId, version: id },
      { title: measuringTitle(number), projectId: input.projectId, startedBy: actorId(actor) },
    ),
  );
  return { jobId };
}
