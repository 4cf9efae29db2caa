import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { GoldPool, StageKind } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';
import { examSettings } from '../exams/exam-settings';

const { gold, items } = tables;

/** Minimum number of check images. With fewer, a worker soon knows all of them. */
const MIN_CHECK_IMAGES = 20;
/** Images of one refresher, which come from the practice pool. */
export const REFRESHER_IMAGES = 3;

/** How many gold images each pool of a stage needs. Gold is divided in these proportions. */
export function neededImages(policy: Policy, kind: StageKind): Record<GoldPool, number> {
  const exam = examSettings(policy, kind);
  const isRequired = exam?.isRequired ?? false;
  const hidesChecks = policy.checkRate > 0;
  return {
    exam: isRequired ? (exam?.size ?? 0) : 0,
    practice: (isRequired ? (exam?.practice ?? 0) : 0) + (hidesChecks ? REFRESHER_IMAGES : 0),
    check: hidesChecks ? MIN_CHECK_IMAGES : 0,
  };
}

/**
 * Chooses the pool of new gold: the pool of other gold on the same image, or else the one with the smallest share of
 * what the stage needs. Exams come first among equals, then checks.
 */
export async function poolFor(
  tx: Transaction,
  { stageId, imageId, kind, policy }: { stageId: string; imageId: string; kind: StageKind; policy: Policy },
): Promise<GoldPool> {
  const found = await tx.execute<{ pool: GoldPool; n: number; isOwn: boolean }>(sql`
    select g.pool, count(distinct i.image_id)::int as n, bool_or(i.image_id = ${imageId}) as "isOwn"
    from ${gold} g join ${items} i on i.id = g.item_id and i.stage_id = ${stageId}
    where g.state in ('active', 'candidate') group by g.pool`);
  const own = found.rows.find(({ isOwn }) => isOwn);
  if (own) return own.pool;
  const elsewhere = await tx.execute<{ pool: GoldPool }>(sql`
    select distinct g.pool from ${items} i join ${gold} g on g.item_id = i.id and g.state in ('active', 'candidate')
    where i.image_id = ${imageId} and i.stage_id <> ${stageId}`);
  const counts = Object.fromEntries(found.rows.map(({ pool, n }) => [pool, n]));
  return choosePool(
    neededImages(policy, kind),
    counts,
    elsewhere.rows.map(({ pool }) => pool),
  );
}

/**
 * The pool with the smallest share of what it needs; `check` if none needs any. `elsewhere`: pools of the same image in
 * other stages. Exams and practice show workers which images are gold. So an image that is in one of these pools in one
 * stage is put in one of them in the others too, and checks stay checks, until the pools in question have what they need.
 */
export function choosePool(
  needed: Readonly<Record<GoldPool, number>>,
  counts: Readonly<Partial<Record<GoldPool, number>>>,
  elsewhere: readonly GoldPool[] = [],
): GoldPool {
  const shareOf = (pool: GoldPool) => (counts[pool] ?? 0) / needed[pool];
  const wanted = (['exam', 'check', 'practice'] as const).filter((pool) => needed[pool] > 0);
  const isKnown = elsewhere.some((pool) => pool !== 'check');
  const alike = wanted.filter((pool) => (pool !== 'check') === isKnown && shareOf(pool) < 1);
  const offered = elsewhere.length > 0 && alike.length > 0 ? alike : wanted;
  return offered.reduce<GoldPool>(
    (best, pool) => (shareOf(pool) < shareOf(best) ? pool : best),
    offered[0] ?? 'check',
  );
}
