import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, newId, type Transaction, tables } from '@/db';
import type { DraftAnswer } from '@/db/schema';
import { conflict, notFound } from '@/lib/core/errors';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { InteractionSummary } from '@/lib/core/quality/interaction';
import { requireScope, type UserActor } from '@/lib/services/access';
import { repeatsCode } from '../signals/text-for-programs';
import { checkAnswer, findQuestion } from './check-answer';
import { closedCode, closedText } from './lock';
import { membershipOf, requireUnfinishedOpen } from './own-work';

const { batches, drafts, items, leases, memberships, projects, answers } = tables;

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
  const drawn = checkAnswer(question, answer.value, question.schema.flags ?? []);
  const { interaction = null, programCode } = answer;
  return {
    answer: { interaction, repeatsCode: repeatsCode(leaseId, programCode), ...drawn },
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

/** Bytes of JSON of one draft. */
export const DRAFT_BYTES = 4_000_000;

/** A drawing is five levels deep; what is much deeper is no draft, and no parser should have to follow it. */
const MAX_DEPTH = 32;

/** The client's own document, kept as it is. Only what a database cannot keep is refused. */
export const DraftDocument = z.record(z.string(), z.unknown()).superRefine((document, context) => {
  const problem = problemOf(document);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

/** Walks without recursion, because the document may be made to be deep. */
function problemOf(document: unknown): string | null {
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `the document is nested more than ${MAX_DEPTH} levels deep`;
    if (level.some((value) => typeof value === 'string' && hasLoneSurrogate.test(value)))
      return 'the document holds a text that is not valid Unicode';
    level = level.flatMap(childrenOf);
  }
  return null;
}

const hasLoneSurrogate = /\p{Surrogate}/u;

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null) return [...Object.keys(value), ...Object.values(value)];
  return [];
}

/**
 * Turns the drafts that workers marked as done into the answers of their open leases `l`. Runs whenever a batch ends,
 * also when its time ran out: work that was acknowledged as done is never lost. The statements are the same for gold
 * and for ordinary items.
 */
export async function answerDoneDrafts(tx: Transaction, which: SQL): Promise<void> {
  // Locked by a statement of its own: the next one then sees drafts that were being stored meanwhile.
  const open = await tx.execute<{ id: string }>(sql`
    select l.id from ${leases} l where l.state = 'open' and ${which} order by l.id for no key update`);
  const ids = open.rows.map(({ id }) => ({ lease: id, answer: newId() }));
  if (ids.length === 0) return;
  await tx.execute(sql`
    with done as (
      delete from ${drafts} d using jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) as own(lease uuid, answer uuid)
      where d.lease_id = own.lease and d.done_at is not null
      returning own.answer as id, d.lease_id, d.answer, d.active_ms, d.done_at
    ), given as (
      update ${leases} l set state = 'answered' from done where l.id = done.lease_id
      returning l.id, l.item_id, l.worker_id
    )
    insert into ${answers} (id, lease_id, item_id, worker_id, value, mask, area, active_ms, interaction, repeats_code,
      created_at)
    select done.id, given.id, given.item_id, given.worker_id, done.answer->'value', done.answer->>'mask',
      (done.answer->>'area')::int, done.active_ms, nullif(done.answer->'interaction', 'null'::jsonb),
      (done.answer->>'repeatsCode')::boolean, done.done_at
    from done join given on given.id = done.lease_id`);
}
