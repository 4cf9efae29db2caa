import { and, asc, eq, sql } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import type { PayReviewReason, StageKind } from '@/db/schema';
import { actorId } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { type Actor, authoriseThrough } from '@/lib/services/access';
import { record } from '@/lib/services/activity';

const { answers, batches, leases, ledger, payReviews, stages, users } = tables;

export interface PayReview {
  batchId: string;
  workerId: string;
  worker: string;
  stage: string;
  stageKind: StageKind;
  kind: 'batch' | 'exam' | 'item';
  reason: PayReviewReason;
  amountMicro: bigint;
  currency: string;
  answered: number;
  /** From taking the batch to its end, by the clock of the server. */
  seconds: number;
  at: Date;
}

/** Decided ones leave the list, so the rest moves up. */
export const MAX_LISTED_REVIEWS = 200;

/** Lists batches and exams of a project that wait for a curator, the oldest first. */
export async function listPayReviews(db: Db, projectId: string): Promise<PayReview[]> {
  return db
    .select({
      batchId: payReviews.batchId,
      workerId: payReviews.workerId,
      worker: users.name,
      stage: stages.name,
      stageKind: stages.kind,
      kind: payReviews.kind,
      reason: payReviews.reason,
      amountMicro: payReviews.amountMicro,
      currency: payReviews.currency,
      answered: sql<number>`(select count(*)::int from ${leases} l join ${answers} a on a.lease_id = l.id
        where l.batch_id = ${payReviews.batchId})`,
      seconds: sql<number>`extract(epoch from ${payReviews.createdAt} - ${batches.createdAt})::float`,
      at: payReviews.createdAt,
    })
    .from(payReviews)
    .innerJoin(batches, eq(batches.id, payReviews.batchId))
    .innerJoin(stages, eq(stages.id, batches.stageId))
    .innerJoin(users, eq(users.id, payReviews.workerId))
    .where(and(eq(payReviews.projectId, projectId), eq(payReviews.state, 'open')))
    .orderBy(asc(payReviews.createdAt))
    .limit(MAX_LISTED_REVIEWS);
}

export interface PayDecision {
  batchId: string;
  verdict: 'approved' | 'refused';
  /** Shown to the worker. A refusal needs one. */
  note: string;
}

/** Pays a batch in review, or refuses to, once. */
export async function decidePayReview(
  db: Database,
  actor: Actor,
  { batchId, verdict, note }: PayDecision,
): Promise<void> {
  const [found] = await db
    .select({ projectId: payReviews.projectId })
    .from(payReviews)
    .where(eq(payReviews.batchId, batchId));
  const { project } = await authoriseThrough(db, actor, 'crowd.manage', {
    what: 'pay review',
    projectId: found?.projectId,
  });
  if (verdict === 'refused' && note.trim() === '')
    throw conflict('Write a short reason. The worker reads it.');
  await db.transaction(async (tx) => {
    const [review] = await tx
      .select()
      .from(payReviews)
      .where(eq(payReviews.batchId, batchId))
      .for('no key update');
    if (!review) throw notFound('pay review');
    if (review.state === verdict) return;
    if (review.state !== 'open') throw conflict(`This batch was ${review.state} already.`);
    await tx
      .update(payReviews)
      .set({ state: verdict, note: note.trim(), decidedBy: actorId(actor), decidedAt: sql`now()` })
      .where(eq(payReviews.batchId, batchId));
    if (verdict === 'approved') {
      const { projectId, workerId, kind, amountMicro, currency } = review;
      await tx
        .insert(ledger)
        .values({ id: newId(), projectId, workerId, kind, sourceId: batchId, amountMicro, currency });
    }
    await record(tx, {
      actor,
      verb: `pay.${verdict}`,
      subject: 'batch',
      subjectId: batchId,
      projectId: project.id,
      detail: { reason: review.reason, note: note.trim() },
    });
  });
}

export interface OwnPayReview {
  reason: PayReviewReason;
  state: 'open' | 'approved' | 'refused';
  note: string;
}

/** Reads the review of the worker's own batch; null if there is none. */
export async function payReviewOf(
  db: Db,
  { workerId, batchId }: { workerId: string; batchId: string },
): Promise<OwnPayReview | null> {
  const [review] = await db
    .select({ reason: payReviews.reason, state: payReviews.state, note: payReviews.note })
    .from(payReviews)
    .where(and(eq(payReviews.batchId, batchId), eq(payReviews.workerId, workerId)));
  return review ?? null;
}
