import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { GoldPool } from '@/db/schema';
import { actorId } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { AnswerValue } from '@/lib/core/quality/answer';
import { readTarget } from '@/lib/core/schema';
import { type Actor, authoriseThrough } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { withdrawFollowing } from '../trust/ask-again';
import { checkAnswer } from '../work/check-answer';
import { effectivePolicy } from '../work/effective-policy';
import { holdWithFollowing } from '../work/lock';
import { isIncomplete, putGoldInUse } from './put-in-use';

const { batches, checks, decisions, gold, images, items, leases, projects, schemaVersions, stages, labels } =
  tables;

export interface GoldDecision {
  goldId: string;
  /** A candidate, or gold that was retired or excluded, comes into use; or it is never used, or no longer. */
  state: 'active' | 'excluded' | 'retired';
  reason: string;
}

/** A curator decides whether a gold item is used. */
export async function decideAboutGold(
  db: Database,
  actor: Actor,
  { goldId, state, reason }: GoldDecision,
): Promise<void> {
  const [found] = await db
    .select({ projectId: gold.projectId, itemId: gold.itemId })
    .from(gold)
    .where(eq(gold.id, goldId));
  await authoriseThrough(db, actor, 'gold.write', { what: 'gold item', projectId: found?.projectId });
  if (!found) throw notFound('gold item');
  const { projectId, itemId } = found;
  await db.transaction(async (tx) => {
    // Items before gold, as whoever writes gold does.
    await holdWithFollowing(tx, [itemId]);
    const held = await holdGold(tx, goldId);
    if (held.gold.state === state) throw conflict(`This gold item is ${state} already.`);
    const decidedBy = actorId(actor);
    if (state === 'active') await requireConfirmable(tx, held, decidedBy);
    await tx
      .update(gold)
      .set({ state, ...(state === 'active' && { confirmedBy: decidedBy, pool: poolAfterUse(goldId) }) })
      .where(eq(gold.id, goldId));
    if (state === 'active') await putGoldInUse(tx, goldId);
    if (state === 'excluded') await takeGoldOutOfUse(tx, { goldId, itemId, isAsked: asksFor(held) });
    await tx.insert(decisions).values({
      projectId,
      subject: 'gold',
      subjectId: goldId,
      verdict: state === 'active' ? 'confirmed' : state,
      reason,
      decidedBy,
    });
    await record(tx, {
      actor,
      verb: 'gold.decide',
      subject: 'gold',
      subjectId: goldId,
      projectId,
      detail: { from: held.gold.state, to: state, reason },
    });
  });
}

/** Retired gold is used for practice, which shows its answer. Such gold does not come back as a check or in an exam. */
const poolAfterUse = (goldId: string) => sql`case when exists (
  select 1 from ${checks} c join ${leases} l on l.id = c.lease_id
  join ${batches} b on b.id = l.batch_id and b.kind = 'practice' where c.gold_id = ${goldId})
  then 'practice' else ${gold.pool} end`;

async function holdGold(tx: Transaction, goldId: string) {
  const [held] = await tx
    .select({
      gold,
      target: items.target,
      stageKind: stages.kind,
      policies: { project: projects.policy, stage: stages.policy },
      schema: schemaVersions.document,
      className: images.className,
      width: images.width,
      height: images.height,
    })
    .from(gold)
    .innerJoin(items, eq(items.id, gold.itemId))
    .innerJoin(images, eq(images.id, items.imageId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(projects, eq(projects.id, gold.projectId))
    .innerJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .where(eq(gold.id, goldId))
    .for('no key update', { of: gold });
  if (!held) throw notFound('gold item');
  return held;
}

type Held = Awaited<ReturnType<typeof holdGold>>;

/** Nobody else's look is in it, or it no longer answers what the schema asks. */
async function requireConfirmable(tx: Transaction, held: Held, decidedBy: string | null): Promise<void> {
  const { twoPeople } = effectivePolicy(held.policies.project, held.policies.stage).gold;
  if (twoPeople && decidedBy !== null && held.gold.authorId === decidedBy) {
    throw conflict(
      'You wrote this gold item, and the policy wants a second person: somebody else confirms it.',
    );
  }
  if (!asksFor(held)) {
    throw conflict(
      'The schema no longer asks for this, so it cannot be used. Restore the part in the schema first.',
    );
  }
  if (await isIncomplete(tx, held.gold.id)) {
    throw conflict(
      'The schema asks for more than this gold item says. Write it anew: its answer is there, complete it and save.',
    );
  }
  const value = AnswerValue.safeParse(held.gold.value);
  if (!value.success) throw conflict('Its answer cannot be read any more: write it anew.');
  checkAnswer(held, value.data);
}

function asksFor({ stageKind, schema, target, className }: Held): boolean {
  if (stageKind !== 'part-mask') return true;
  const { id: wanted, instance, className: own } = readTarget(target);
  const drawnOn = instance > 1 ? own : className;
  const isAttribute = schema.attributes.some(({ id, kind }) => id === wanted && kind === 'localised');
  return (
    isAttribute ||
    schema.parts.some(({ id, classes }) => id === wanted && drawnOn !== null && classes.includes(drawnOn))
  );
}

/**
 * Gold that is excluded is not to be trusted, and neither is the label that was made from it: it is no longer current,
 * and people are asked. What people made of the question themselves stays. The items are held.
 */
async function takeGoldOutOfUse(
  tx: Transaction,
  { goldId, itemId, isAsked }: { goldId: string; itemId: string; isAsked: boolean },
): Promise<void> {
  const own = await tx
    .update(labels)
    .set({ isCurrent: false })
    .where(and(eq(labels.itemId, itemId), eq(labels.isCurrent, true), isFrom(goldId)))
    .returning({ id: labels.id });
  if (own.length > 0) await withdrawFollowing(tx, [itemId]);
  if (!isAsked) return;
  // Either nobody knows it any more, or it only waited for its gold to be decided about.
  const isFree = sql`(${own.length > 0} or (${items.state} = 'withdrawn' and ${items.answered} = 0))`;
  await tx
    .update(items)
    .set({ state: 'open', overlap: sql`greatest(${items.overlap}, ${items.answered} + 1)` })
    .where(and(eq(items.id, itemId), isFree));
}

/** Of a label: made from this gold item. */
export const isFrom = (goldId: string) =>
  sql`${labels.provenance}->>'method' = 'gold' and ${labels.provenance}->>'gold' = ${goldId}`;

/**
 * Moves all gold of an image in a stage to another pool. Gold that was used in practice or in an exam cannot become a
 * check, because its answer may be known.
 */
export async function setGoldPool(
  db: Database,
  actor: Actor,
  { goldId, pool }: { goldId: string; pool: GoldPool },
): Promise<void> {
  const [found] = await db
    .select({ projectId: gold.projectId, stageId: items.stageId, imageId: items.imageId })
    .from(gold)
    .innerJoin(items, eq(items.id, gold.itemId))
    .where(eq(gold.id, goldId));
  const { project } = await authoriseThrough(db, actor, 'gold.write', {
    what: 'gold item',
    projectId: found?.projectId,
  });
  if (!found) return;
  const { stageId, imageId } = found;
  await db.transaction(async (tx) => {
    const held = await tx.execute<{ id: string; pool: GoldPool }>(sql`
      select g.id, g.pool from ${gold} g
      where g.item_id in (select i.id from ${items} i where i.image_id = ${imageId} and i.stage_id = ${stageId})
      order by g.id for no key update`);
    const ids = held.rows.map(({ id }) => id);
    const met = await tx.execute<{ kind: string }>(sql`
      select distinct b.kind from ${checks} c
      join ${leases} l on l.id = c.lease_id join ${batches} b on b.id = l.batch_id
      where c.gold_id = any (${sql.param(ids)}::uuid[])`);
    const kinds = met.rows.map(({ kind }) => kind);
    if (pool !== 'practice' && kinds.includes('practice'))
      throw conflict(
        'Workers have seen the answer to this image in practice. It stays in the practice pool.',
      );
    if (pool === 'check' && kinds.includes('exam'))
      throw conflict('Workers have met this image in an exam. It can be used for exams or practice only.');
    await tx.execute(sql`update ${gold} set pool = ${pool} where id = any (${sql.param(ids)}::uuid[])`);
    await record(tx, {
      actor,
      verb: 'gold.pool',
      subject: 'gold',
      subjectId: goldId,
      projectId: project.id,
      detail: { from: held.rows.find(({ id }) => id === goldId)?.pool, to: pool },
    });
  });
}
