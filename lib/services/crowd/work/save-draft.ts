import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { DraftAnswer } from '@/db/schema';
import { conflict, notFound } from '@/lib/core/errors';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { InteractionSummary } from '@/lib/core/quality/interaction';
import { requireScope, type UserActor } from '@/lib/services/access';
import { repeatsCode } from '../signals/text-for-programs';
import { checkAnswer } from './check-answer';
import { findQuestion } from './find-question';
import { closedCode, closedText } from './hold-batch';
import { membershipOf, requireUnfinishedOpen } from './own-work';

const { batches, drafts, items, leases, memberships, projects } = tables;

export interface DraftChange {
  leaseId: string;
  /** The revision that the change builds on; 0 when there was no draft. */
  revision: number;
  document: Record<string, unknown>;
  /** Time spent on the item so far, without pauses. */
  activeMs?: number;
  /** The item is done: this is its answer when the batch ends. Without it the item is open again. */
  answer?: {
    value: AnswerValue;
    interaction?: InteractionSummary | null;
    programCode?: string;
  };
}

/**
 * Stores the unsubmitted state of a lease as the next revision, if nobody stored another one in between;
 * else the conflict carries what is there, for the person to choose. An answer that does not fit the question is
 * refused now, so that submitting the batch cannot fail because of it.
 */
export async function saveDraft(
  db: Database,
  actor: UserActor,
  change: DraftChange,
): Promise<{ revision: number }> {
  const { leaseId, revision, document, activeMs = 0 } = change;
  const done = await answerOf(db, actor, change);
  return db.transaction(async (tx) => {
    await holdOpenLease(tx, actor, leaseId, done?.schemaVersionId);
    const next = revision + 1;
    const fields = {
      revision: next,
      document,
      activeMs,
      answer: done?.answer ?? null,
      doneAt: done ? sql`now()` : null,
    };
    const [saved] =
      revision === 0
        ? await tx
            .insert(drafts)
            .values({ leaseId, workerId: actor.userId, ...fields })
            .onConflictDoNothing()
            .returning({ revision: drafts.revision })
        : await tx
            .update(drafts)
            .set({
              ...fields,
              activeMs: sql`greatest(${drafts.activeMs}, ${activeMs}::int)`,
              updatedAt: sql`now()`,
            })
            .where(and(eq(drafts.leaseId, leaseId), eq(drafts.revision, revision)))
            .returning({ revision: drafts.revision });
    if (saved) return saved;
    const [there] = await tx
      .select({ revision: drafts.revision, document: drafts.document, done: isDone })
      .from(drafts)
      .where(eq(drafts.leaseId, leaseId));
    throw conflict(
      'The draft was changed elsewhere, perhaps in another tab.',
      there ?? { revision: 0, document: null, done: false },
    );
  });
}

export const isDone = sql<boolean>`${drafts.doneAt} is not null`;

async function answerOf(
  db: Database,
  actor: UserActor,
  { leaseId, answer }: DraftChange,
): Promise<{ answer: DraftAnswer; schemaVersionId: string } | undefined> {
  if (!answer) return undefined;
  const question = await findQuestion(db, actor, leaseId);
  // Refused below like any other. Checking it first by the schema of today would tell gold, which follows the schema,
  // from ordinary items, which keep the one they were answered by.
  if (question.answer || question.batchState !== 'leased') return undefined;
  // Drawing the mask can take a while: it is done before anything is locked.
  const drawn = checkAnswer(question, answer.value);
  const { value, interaction = null, programCode } = answer;
  return {
    answer: { value, interaction, repeatsCode: repeatsCode(leaseId, programCode), ...drawn },
    schemaVersionId: question.schemaVersionId,
  };
}

/** Shared, so that drafts do not wait for each other but an answer, which deletes the draft, waits for them. */
async function holdOpenLease(
  tx: Transaction,
  actor: UserActor,
  leaseId: string,
  checkedBy: string | undefined,
): Promise<void> {
  requireScope(actor, 'work.finish');
  const [lease] = await tx
    .select({
      state: leases.state,
      schemaVersionId: items.schemaVersionId,
      batchState: batches.state,
      projectState: projects.state,
    })
    .from(leases)
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(memberships, membershipOf(batches.projectId, leases.workerId))
    .where(and(eq(leases.id, leaseId), eq(leases.workerId, actor.userId)))
    .for('share', { of: leases });
  if (!lease) throw notFound('lease');
  requireUnfinishedOpen(lease.projectState);
  if (lease.state === 'open') {
    if (checkedBy === undefined || checkedBy === lease.schemaVersionId) return;
    throw conflict('The question was changed. Reload the page and check your answer.', {
      state: lease.state,
      code: 'questionChanged',
    });
  }
  const { state, batchState } = lease;
  if (state === 'answered' || state === 'late')
    throw conflict('This item is answered already.', { state, code: 'itemAnswered' });
  if (batchState === 'leased')
    throw conflict('You reported this item as broken.', { state, code: 'itemReported' });
  throw conflict(closedText[batchState], { state, code: closedCode[batchState] });
}
