import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { Policy } from '@/lib/core/quality/policy';
import { hasDrifted } from './has-drifted';

const { checks, decisions, gold } = tables;

type Row = { id: string; projectId: string; exposures: number; outcomes: boolean[] };

/** Retires gold that has been shown often enough, or whose pass rate shows that its answer has got about. */
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
        'Far more workers pass it of late than before: its answer may have got about.',
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
