import type { Database } from '@/db';
import { type Author, actorId } from '@/lib/auth/actor';
import { enqueue } from '@/lib/jobs';
import { findVersion } from './find-version';

export const VERIFY_JOB = 'verify-version';

/** Starts to read a version again, picture by picture. The job's result says whether it is whole. */
export async function startVerification(
  db: Database,
  actor: Author,
  input: { projectId: string; version: string },
): Promise<{ jobId: string }> {
  const { id, number } = await findVersion(db, input);
  const jobId = await db.transaction((tx) =>
    enqueue(
      tx,
      VERIFY_JOB,
      { projectId: input.projectId, version: id },
      { title: `Verify version ${number}`, projectId: input.projectId, startedBy: actorId(actor) },
    ),
  );
  return { jobId };
}
