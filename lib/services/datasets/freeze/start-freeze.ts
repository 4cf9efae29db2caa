import type { Database } from '@/db';
import { type Author, actorId, auditedAs } from '@/lib/core/actor';
import { enqueue } from '@/lib/services/jobs';
import type { FreezeRequest } from './request';

export const FREEZE_JOB = 'freeze-version';

/** Starts to freeze a project. The job's result names the version. */
export async function startFreeze(
  db: Database,
  actor: Author,
  input: {
    projectId: string;
    request: FreezeRequest;
    /** Given to the version once it is there. */
    tag?: string;
  },
): Promise<{ jobId: string }> {
  const jobId = await db.transaction((tx) =>
    enqueue(
      tx,
      FREEZE_JOB,
      { ...input, author: auditedAs(actor) },
      { title: 'Freeze a version', projectId: input.projectId, startedBy: actorId(actor) },
    ),
  );
  return { jobId };
}
