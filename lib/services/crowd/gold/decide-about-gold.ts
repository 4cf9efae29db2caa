import { eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { AnswerValue } from '@/lib/core/quality/answer';
import { type Actor, authoriseThrough } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { checkAnswer } from '../work/check-answer';
import { effectivePolicy } from '../work/effective-policy';
import { holdWithFollowing } from '../work/hold-with-following';
import { isIncomplete } from './is-incomplete';
import { putGoldInUse } from './put-in-use';
import { takeGoldOutOfUse } from './take-out-of-use';

const { batches, checks, decisions, gold, images, items, leases, projects, schemaVersions, stages } = tables;

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
  const isAttribute = schema.attributes.some(({ id, kind }) => id === target && kind === 'localised');
  return (
    isAttribute ||
    schema.parts.some(({ id, classes }) => id === target && className !== null && classes.includes(className))
  );
}
