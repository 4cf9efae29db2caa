import { and, eq, inArray } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs/enqueue';
import { activeStates } from '@/lib/services/jobs/job-row';

const { jobs } = tables;
const kind = 'find-lookalikes';

/** Has the images of a project compared with each other. A job that is at it already is the answer. */
export async function requestLookalikes(
  db: Database,
  actor: Actor,
  projectId: string,
): Promise<{ jobId: string }> {
  const [busy] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, kind), inArray(jobs.state, [...activeStates])))
    .limit(1);
  if (busy) return { jobId: busy.id };
  return db.transaction(async (tx) => {
    await record(tx, { actor, verb: 'images.find-lookalikes', subject: 'images', projectId });
    const meta = { title: 'Find images that look alike', projectId, startedBy: actorId(actor) };
    return { jobId: await enqueue(tx, kind, { projectId }, meta) };
  });
}
