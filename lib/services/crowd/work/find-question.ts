import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { membershipOf } from './own-work';

const { answers, batches, images, items, leases, memberships, schemaVersions, stages } = tables;

/** What a lease of the worker asks, and the answer if it has one. The lease of another does not exist. */
export async function findQuestion(db: Db, actor: UserActor, leaseId: string) {
  requireScope(actor, 'work.finish');
  const [question] = await db
    .select({
      stageKind: stages.kind,
      schemaVersionId: items.schemaVersionId,
      schema: schemaVersions.document,
      width: images.width,
      height: images.height,
      batchKind: batches.kind,
      batchState: batches.state,
      answer: { id: answers.id, storedAt: answers.createdAt },
    })
    .from(leases)
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(memberships, membershipOf(batches.projectId, leases.workerId))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(images, eq(images.id, items.imageId))
    .innerJoin(schemaVersions, eq(schemaVersions.id, items.schemaVersionId))
    .leftJoin(answers, eq(answers.leaseId, leases.id))
    .where(and(eq(leases.id, leaseId), eq(leases.workerId, actor.userId)));
  if (!question) throw notFound('lease');
  return question;
}

export type Question = Awaited<ReturnType<typeof findQuestion>>;
