import type { Database } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { enqueue } from '@/lib/services/jobs';
import { findVersion } from './find-version';
import { newestJob } from './newest-job';

export const VERIFY_JOB = 'verify-version';

/** Starts to read a version again, picture by picture. The job's result says whether it is whole. */
export async function startVerification(
  db: Database,
  actor: Author,
  input: { projectId: string; version: string },
): Promise<{ jobId: string }> {
  const { id, number } = await findVersion(db, input);
  const title = `Verify version ${number}`;
  const known = await newestJob(db, { projectId: input.projectId, kind: VERIFY_JOB, title });
  // One at a time is enough: whoever asks again gets the one that is at it.
  if (known && !known.finishedAt) return { jobId: known.id };
  const jobId = await db.transaction((tx) =>
    enqueue(
      tx,
      VERIFY_JOB,
      { projectId: input.projectId, version: id },
      { title, projectId: input.projectId, startedBy: actorId(actor) },
    ),
  );
  return { jobId };
}
