import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { enqueue } from '../enqueue';

const { jobs } = tables;

export type Rating = {
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
  const title = all ? 'Rate all labels anew' : 'Rate new labels';
  return enqueue(tx, 'rate-labels', { projectId, all }, { title, projectId, startedBy });
}
