import { and, desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { answers, batches, leases } = tables;

/** Enough to see the shape of it; the page draws it, nobody reads it. */
const MOST = 2000;

/** Active seconds of the worker's newest items, newest first. */
export async function workerTimes(db: Db, projectId: string, workerId: string) {
  const rows = await db
    .select({ stageId: batches.stageId, activeMs: answers.activeMs })
    .from(answers)
    .innerJoin(leases, eq(leases.id, answers.leaseId))
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .where(and(eq(answers.workerId, workerId), eq(batches.projectId, projectId), eq(batches.kind, 'work')))
    .orderBy(desc(answers.createdAt))
    .limit(MOST);
  return rows.map(({ stageId, activeMs }) => ({ stageId, seconds: activeMs / 1000 }));
}
