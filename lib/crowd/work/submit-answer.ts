import { eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { UserActor } from '@/lib/auth';
import { conflict } from '@/lib/errors';
import type { AnswerValue } from '@/lib/quality/answer';
import { checkAnswer, type Drawn } from './check-answer';
import { countAnswer } from './count-answer';
import { findQuestion } from './find-question';
import { closedText, type HeldBatch, holdBatch } from './hold-batch';
import { payLateAnswer } from './pay-late-answer';

const { answers, checks, drafts, leases } = tables;

export interface NewAnswer {
  leaseId: string;
  /** Made by the client: the same id is the same answer, however often it is sent. */
  answerId: string;
  value: AnswerValue;
  /** Time spent on the item, without pauses. */
  activeMs: number;
}

/** The same for every item: what became of the answer is never told here, for it would tell checks apart. */
export interface StoredAnswer {
  answerId: string;
  storedAt: Date;
}

/**
 * Stores an answer for good. One that comes when its lease has run out counts if the item is still free, else
 * it is set aside; it is kept and paid in both cases.
 */
export async function submitAnswer(db: Database, actor: UserActor, input: NewAnswer): Promise<StoredAnswer> {
  const question = await findQuestion(db, actor, input.leaseId);
  if (question.answer) return sameAnswer(question.answer, input.answerId);
  // Drawing can take a while: it is done before anything is locked.
  const drawn = checkAnswer(question, input.value);
  return db.transaction((tx) => store(tx, actor, input, drawn));
}

async function store(
  tx: Transaction,
  actor: UserActor,
  input: NewAnswer,
  drawn: Drawn,
): Promise<StoredAnswer> {
  const held = await holdBatch(tx, actor, { leaseId: input.leaseId });
  const lease = await readLease(tx, input.leaseId);
  if (lease.answer) return sameAnswer(lease.answer, input.answerId);
  refuseIfOver(lease.state, held);
  const stored = await insertAnswer(tx, actor, lease.itemId, input, drawn);
  await tx.update(leases).set({ state: 'answered' }).where(eq(leases.id, input.leaseId));
  await tx.delete(drafts).where(eq(drafts.leaseId, input.leaseId));
  if (held.batch.kind === 'work' && !lease.isCheck) {
    const inTime = lease.state === 'open';
    await countAnswer(tx, { itemId: lease.itemId, inTime, ...input, ...drawn });
  }
  if (held.batch.state !== 'leased') await payLateAnswer(tx, held, input.answerId);
  return stored;
}

async function readLease(tx: Transaction, leaseId: string) {
  const [lease] = await tx
    .select({
      itemId: leases.itemId,
      state: leases.state,
      isCheck: sql<boolean>`exists (select 1 from ${checks} where ${checks.leaseId} = ${leases.id})`,
      answer: { id: answers.id, storedAt: answers.createdAt },
    })
    .from(leases)
    .leftJoin(answers, eq(answers.leaseId, leases.id))
    .where(eq(leases.id, leaseId));
  if (!lease) throw new Error('The batch of a lease was held, so the lease is there.');
  return lease;
}

function refuseIfOver(state: 'open' | 'answered' | 'released', { batch }: HeldBatch): void {
  if (state === 'open' || batch.state === 'leased') return;
  if (batch.state === 'returned' || batch.kind !== 'work')
    throw conflict(closedText[batch.state], { state: batch.state });
}

function sameAnswer(there: { id: string; storedAt: Date }, answerId: string): StoredAnswer {
  if (there.id === answerId) return { answerId, storedAt: there.storedAt };
  throw conflict('This item is answered already.', { answerId: there.id });
}

async function insertAnswer(
  tx: Transaction,
  actor: UserActor,
  itemId: string,
  { leaseId, answerId, value, activeMs }: NewAnswer,
  drawn: Drawn,
): Promise<StoredAnswer> {
  const [row] = await tx
    .insert(answers)
    .values({ id: answerId, leaseId, itemId, workerId: actor.userId, value, activeMs, ...drawn })
    .onConflictDoNothing({ target: answers.id })
    .returning({ storedAt: answers.createdAt });
  if (!row) throw conflict('This answer id is used for another item: make a new one.');
  return { answerId, storedAt: row.storedAt };
}
