import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { GoldPool } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';
import type { NewLabel } from '../work/make-labels';

const { checks, decisions, gold } = tables;

type Row = { id: string; projectId: string; exposures: number; outcomes: boolean[] };

/** Retires gold that has been shown often enough, or whose pass rate suggests that its answer has leaked. */
export async function rotateGold(tx: Transaction, goldIds: readonly string[], policy: Policy): Promise<void> {
  if (goldIds.length === 0) return;
  const found = await tx.execute<Row>(sql`
    select g.id, g.project_id as "projectId", g.exposures,
      array(select c.passed from ${checks} c where c.gold_id = g.id and c.passed is not null
        order by c.scored_at, c.id) as outcomes
    from ${gold} g
    where g.id = any (${sql.param([...new Set(goldIds)])}::uuid[]) and g.state = 'active'
    order by g.id for no key update`);
  for (const row of found.rows) {
    if (row.exposures >= policy.gold.maxExposures) {
      await retire(
        tx,
        row,
        'exposure',
        `It was shown to ${row.exposures} workers, as many as the policy allows.`,
      );
    } else if (hasDrifted(row.outcomes)) {
      await retire(
        tx,
        row,
        'drift',
        'Far more workers have passed it recently than before. The answer may have leaked.',
      );
    }
  }
}

async function retire(tx: Transaction, row: Row, rule: string, reason: string): Promise<void> {
  await tx.execute(sql`update ${gold} set state = 'retired' where id = ${row.id}`);
  await tx.insert(decisions).values({
    projectId: row.projectId,
    subject: 'gold',
    subjectId: row.id,
    verdict: 'retired',
    reason,
    rule,
    ruleVersion: 1,
  });
}

/** Outcomes that count as late, and the fewest before them to compare with. */
const LATE = 20;
const EARLY = 20;
/** One in a thousand by chance: gold is dear, and is looked at after every check. */
const Z = 3.09;

/** Whether the newest checks of a gold item are passed so much more often that chance hardly explains it. */
export function hasDrifted(outcomes: readonly boolean[]): boolean {
  const late = outcomes.slice(-LATE);
  const early = outcomes.slice(0, -LATE);
  if (early.length < EARLY) return false;
  const share = (list: readonly boolean[]) => list.filter(Boolean).length / list.length;
  const all = share(outcomes);
  const spread = Math.sqrt(all * (1 - all) * (1 / late.length + 1 / early.length));
  return spread > 0 && (share(late) - share(early)) / spread > Z;
}

/** People who must have said the same: two may err alike. */
const FEWEST = 3;

/** Items on which everybody agreed become candidates for gold; none is used before a curator confirms it. */
export async function promoteUnanimous(tx: Transaction, labels: readonly NewLabel[]): Promise<void> {
  const agreed = labels.filter(({ isUnanimous, answers }) => isUnanimous && answers.length >= FEWEST);
  if (agreed.length === 0) return;
  await tx
    .insert(tables.gold)
    .values(
      agreed.map(({ item, value, mask }) => ({
        projectId: item.projectId,
        itemId: item.id,
        value,
        mask,
        state: 'candidate' as const,
        pool: poolOf(item),
      })),
    )
    .onConflictDoNothing();
}

/** All gold of an image in a stage is in one pool: practice on one target shows the others beside it. */
const poolOf = ({ stageId, imageId }: NewLabel['item']) => sql<GoldPool>`coalesce((
  select g.pool from ${tables.gold} g join ${tables.items} i on i.id = g.item_id
  where i.stage_id = ${stageId} and i.image_id = ${imageId} order by g.id limit 1), 'check')`;
