import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { answers, batches, checks, items, leases } = tables;

/** Every scored check of a worker in a project, exams included, in time order. */
export async function workerChecks(db: Db, projectId: string, workerId: string) {
  return db
    .select({
      id: checks.id,
      goldId: checks.goldId,
      stageId: batches.stageId,
      kind: batches.kind,
      target: items.target,
      imageId: items.imageId,
      passed: checks.passed,
      score: checks.score,
      at: checks.scoredAt,
      activeMs: answers.activeMs,
    })
    .from(checks)
    .innerJoin(leases, eq(leases.id, checks.leaseId))
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(answers, eq(answers.leaseId, leases.id))
    .where(and(eq(batches.projectId, projectId), eq(checks.workerId, workerId), isNotNull(checks.scoredAt)))
    .orderBy(asc(checks.scoredAt), asc(checks.id));
}

export type WorkerCheck = Awaited<ReturnType<typeof workerChecks>>[number];
