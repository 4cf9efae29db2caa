import { and, asc, eq, inArray } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { poolFor } from '@/lib/services/crowd/gold/assign-pool';
import { isIncomplete, putGoldInUse } from '@/lib/services/crowd/gold/put-in-use';
import { checkAnswer } from '@/lib/services/crowd/work/check-answer';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { type GoldPlace, goldQuestion } from './gold-question';

const { decisions, gold, items, projects, stages } = tables;

export interface KnownAnswer {
  projectId: string;
  stageId: string;
  imageId: string;
  target: string;
  schemaVersionId: string;
  value: AnswerValue;
  mask: string | null;
  authorId: string | null;
  /** In use at once, or a candidate that waits to be confirmed. */
  isActive: boolean;
  /** What the decision about it says. */
  reason: string;
}

type Stored = { goldId: string; outcome: 'made' | 'rewritten' | 'unchanged' };

/** Writes down what is known about a question, of whose schema `requireSameSchema` is sure; made if nobody asks it yet. */
export async function storeGold(tx: Transaction, known: KnownAnswer): Promise<Stored> {
  const itemId = await lockItem(tx, known);
  const [before] = await tx.select().from(gold).where(eq(gold.itemId, itemId)).for('no key update');
  const { value, mask, authorId } = known;
  const state = known.isActive ? ('active' as const) : ('candidate' as const);
  const isSame = before && before.mask === mask && sameValue(before.value, value);
  const isAsWanted = before && isSame && (before.state === 'active' || before.state === state);
  // Saved as it is, one that had to be completed is complete.
  if (isAsWanted && !(await isIncomplete(tx, before.id))) return { goldId: before.id, outcome: 'unchanged' };
  const goldId = before?.id ?? newId();
  // Who saw it under its old answer was judged by that: only the next ones meet the new.
  const fields = { value, mask, authorId, state, confirmedBy: null };
  if (before) await tx.update(gold).set(fields).where(eq(gold.id, goldId));
  else {
    const pool = await poolFor(tx, await stageOf(tx, known));
    await tx.insert(gold).values({ id: goldId, projectId: known.projectId, itemId, pool, ...fields });
  }
  await tx.insert(decisions).values({
    projectId: known.projectId,
    subject: 'gold',
    subjectId: goldId,
    verdict: before ? 'rewritten' : 'written',
    reason: known.reason,
    decidedBy: authorId,
  });
  if (known.isActive) await putGoldInUse(tx, goldId);
  return { goldId, outcome: before ? 'rewritten' : 'made' };
}

/**
 * For whoever writes much gold of a project in one transaction: all that it may change, items first, each in the order
 * of ids. Line by line would be in the order of the lines.
 */
export async function lockPlaces(tx: Transaction, known: readonly KnownAnswer[]): Promise<void> {
  const [first] = known;
  if (!first) return;
  await requireSameSchema(tx, first);
  const about = inArray(items.imageId, [...new Set(known.map(({ imageId }) => imageId))]);
  await tx.select({ id: items.id }).from(items).where(about).orderBy(asc(items.id)).for('no key update');
  await tx
    .select({ id: gold.id })
    .from(gold)
    .innerJoin(items, eq(items.id, gold.itemId))
    .where(about)
    .orderBy(asc(gold.id))
    .for('no key update', { of: gold });
}

/** Shared: whoever saves a schema waits and then carries this gold along, or is seen here. */
async function requireSameSchema(
  tx: Transaction,
  { projectId, schemaVersionId }: Pick<KnownAnswer, 'projectId' | 'schemaVersionId'>,
): Promise<void> {
  const [project] = await tx
    .select({ schemaVersionId: projects.schemaVersionId })
    .from(projects)
    .where(eq(projects.id, projectId))
    .for('share');
  if (project?.schemaVersionId !== schemaVersionId)
    throw conflict('The schema was changed meanwhile, and the question may be another: answer it again.');
}

async function stageOf(tx: Transaction, { stageId, imageId }: KnownAnswer) {
  const [found] = await tx
    .select({ kind: stages.kind, stagePolicy: stages.policy, projectPolicy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(eq(stages.id, stageId));
  if (!found) throw new Error('Gold is written for a stage.');
  return {
    stageId,
    imageId,
    kind: found.kind,
    policy: effectivePolicy(found.projectPolicy, found.stagePolicy),
  };
}

async function lockItem(tx: Transaction, known: KnownAnswer): Promise<string> {
  const { projectId, stageId, imageId, target, schemaVersionId } = known;
  // Before the image, to which a new item refers: whoever changes images locks in this order.
  await tx
    .select({ id: items.id })
    .from(items)
    .where(eq(items.imageId, imageId))
    .orderBy(asc(items.id))
    .for('no key update');
  await tx
    .insert(items)
    // Nobody is asked before somebody decides: a candidate's question is no work.
    .values({ projectId, stageId, imageId, target, schemaVersionId, state: 'withdrawn' })
    .onConflictDoNothing();
  const [item] = await tx
    .select({ id: items.id, leased: items.leased, answered: items.answered })
    .from(items)
    .where(and(eq(items.stageId, stageId), eq(items.imageId, imageId), eq(items.target, target)))
    .for('no key update');
  if (!item) throw new Error('The item was made a moment ago.');
  // Gold is asked in the words of the present schema, as everything new is. Whoever is at the question keeps the
  // words they see, and answers keep theirs until gold takes the place of them.
  const isFree = item.leased === 0 && (known.isActive || item.answered === 0);
  if (isFree) await tx.update(items).set({ schemaVersionId }).where(eq(items.id, item.id));
  return item.id;
}

/** JSON of the database has no order of keys. */
const sameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inside]) => [key, sorted(inside)]),
  );
}

export interface AuthoredGold extends GoldPlace {
  value: AnswerValue;
  /** The author wants it in use at once; the policy may want a second person first. */
  use: boolean;
}

export interface Authored {
  goldId: string;
  state: 'active' | 'candidate';
}

/** A curator answers a question for good. The mask is drawn anew from the shapes, as for any answer. */
export async function authorGold(db: Database, actor: Actor, input: AuthoredGold): Promise<Authored> {
  await authorise(db, actor, 'gold.write', { project: input.projectId });
  const question = await goldQuestion(db, input);
  const { stage, schema, image } = question;
  if (image.state !== 'active')
    throw conflict('The image is not in use, so nobody would meet this gold item.');
  const { value, mask } = checkAnswer(
    {
      stageKind: stage.kind,
      schema,
      target: input.target,
      className: image.className,
      width: image.width,
      height: image.height,
    },
    input.value,
  );
  const { twoPeople } = effectivePolicy(question.projectPolicy, stage.policy).gold;
  const isActive = input.use && !twoPeople;
  return db.transaction(async (tx) => {
    const known = {
      projectId: input.projectId,
      stageId: input.stageId,
      imageId: input.imageId,
      target: input.target,
      schemaVersionId: question.schemaVersionId,
      value,
      mask,
      authorId: actorId(actor),
      isActive,
      reason: 'A curator answered it.',
    };
    await requireSameSchema(tx, known);
    const { goldId } = await storeGold(tx, known);
    await record(tx, {
      actor,
      verb: 'gold.write',
      subject: 'gold',
      subjectId: goldId,
      projectId: input.projectId,
      detail: { image: image.name, target: input.target, state: isActive ? 'active' : 'candidate' },
    });
    return { goldId, state: isActive ? 'active' : 'candidate' };
  });
}
