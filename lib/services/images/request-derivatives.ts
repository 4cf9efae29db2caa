import { and, eq, inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { enqueue } from '@/lib/services/jobs/enqueue';
import { activeStates } from '@/lib/services/jobs/job-row';

const { jobs } = tables;

/** Asks for what is missing among the derivatives of a project, unless a job is already at it. */
export async function requestDerivatives(db: Db, projectId: string): Promise<void> {
  const [busy] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.projectId, projectId),
        eq(jobs.kind, 'derivatives'),
        inArray(jobs.state, [...activeStates]),
      ),
    )
    .limit(1);
  if (busy) return;
  await db.transaction((tx) =>
    enqueue(tx, 'derivatives', { projectId }, { title: 'Make missing thumbnails', projectId }),
  );
}
