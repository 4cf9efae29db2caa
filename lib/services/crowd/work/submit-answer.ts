import { eq } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { conflict } from '@/lib/core/errors';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { InteractionSummary } from '@/lib/core/quality/interaction';
import type { UserActor } from '@/lib/services/access';
import { endDecidedExam } from '../exams/finish-exams';
import { repeatsCode } from '../signals/text-for-programs';
import { checkAnswer, type Drawn, findQuestion, type Question } from './check-answer';
import { requireLateAnswerAllowed } from './late-answers';
import { holdBatch } from './lock';

const { answers, drafts, leases } = tables;

export interface NewAnswer {
  leaseId: string;
  /** Made by the client: the same id is the same answer, however often it is sent. */
  answerId: string;
  value: AnswerValue;
  /** Time spent on the item, without pauses. */
  activeMs: number;
  /** How it was entered, from clients that measure it. */
  interaction?: InteractionSummary | null;
  /** What stood in the field that only programs can find. */
  programCode?: string;
}

/** The same for every item: what becomes of the answer is decided when the batch ends, and never told here. */
export interface StoredAnswer {
  answerId: string;
  storedAt: Date;
  /** The batch takes no more answers: an exam that is decided before its end. */
  isOver: boolean;
}

/**
 * Stores an answer for good. It counts when its batch ends. An answer that arrives after that counts together with
 * the worker's other late answers if the item is still free, and is set aside if not; it is paid in both cases.
 */
export async function submitAnswer(db: Database, actor: UserActor, input: NewAnswer): Promise<StoredAnswer> {
  const question = await findQuestion(db, actor, input.leaseId);
  if (question.answer) return sameAnswer(question.answer, input.answerId, question);
  // Drawing can take a while: it is done before anything is locked.
  const drawn = checkAnswer(question, input.value, question.schema.flags ?? []);
  return db.transaction((tx) => store(tx, actor, input, { question, drawn }));
}

async function store(
  tx: Transaction,
  actor: UserActor,
  input: NewAnswer,
  { question, drawn }: { question: Question; drawn: Drawn },
): Promise<StoredAnswer> {
  const held = await holdBatch(tx, actor, { leaseId: input.leaseId });
  const lease = await readLease(tx, input.leaseId);
  if (lease.answer)
    return sameAnswer(lease.answer, input.answerId, {
      batchKind: held.batch.kind,
      batchState: held.batch.state,
    });
  const isLate = lease.state !== 'open';
  if (isLate) {
    await requireLateAnswerAllowed(tx, held);
    await requireSameQuestion(tx, actor, input, question);
  }
  const storedAt = await insertAnswer(tx, actor, { itemId: lease.itemId, isLate }, input, drawn);
  await tx
    .update(leases)
    .set({ state: isLate ? 'late' : 'answered' })
    .where(eq(leases.id, input.leaseId));
  await tx.delete(drafts).where(eq(drafts.leaseId, input.leaseId));
  const isOver = held.batch.kind === 'exam' && (await endDecidedExam(tx, held));
  return { answerId: input.answerId, storedAt, isOver };
}

/**
 * A change of the schema ends the batch and then asks its items in other words. An answer that was checked before that
 * and comes after it has to fit those; the item is held by now.
 */
async function requireSameQuestion(
  tx: Transaction,
  actor: UserActor,
  { leaseId, value }: NewAnswer,
  { schemaVersionId }: Question,
): Promise<void> {
  const now = await findQuestion(tx, actor, leaseId);
  if (now.schemaVersionId !== schemaVersionId) checkAnswer(now, value);
}

async function readLease(tx: Transaction, leaseId: string) {
  const [lease] = await tx
    .select({
      itemId: leases.itemId,
      state: leases.state,
      answer: { id: answers.id, storedAt: answers.createdAt },
    })
    .from(leases)
    .leftJoin(answers, eq(answers.leaseId, leases.id))
    .where(eq(leases.id, leaseId));
  if (!lease) throw new Error('The batch of a lease was held, so the lease is there.');
  return lease;
}

function sameAnswer(
  there: { id: string; storedAt: Date },
  answerId: string,
  { batchKind, batchState }: Pick<Question, 'batchKind' | 'batchState'>,
): StoredAnswer {
  if (there.id === answerId)
    return { answerId, storedAt: there.storedAt, isOver: batchKind === 'exam' && batchState !== 'leased' };
  throw conflict('This item is answered already.', { answerId: there.id, code: 'itemAnswered' });
}

async function insertAnswer(
  tx: Transaction,
  actor: UserActor,
  { itemId, isLate }: { itemId: string; isLate: boolean },
  { leaseId, answerId, activeMs, interaction = null, programCode }: NewAnswer,
  drawn: Drawn,
): Promise<Date> {
  const [row] = await tx
    .insert(answers)
    .values({
      id: answerId,
      leaseId,
      itemId,
      workerId: actor.userId,
      activeMs,
      isLate,
      interaction,
      repeatsCode: repeatsCode(leaseId, programCode),
      ...drawn,
    })
    .onConflictDoNothing({ target: answers.id })
    .returning({ storedAt: answers.createdAt });
  if (!row) throw conflict('This answer id is used for another item: make a new one.');
  return row.storedAt;
}
