import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { CrowdStage } from '@/lib/crowd/overview/crowd-stages';
import { priceOf } from '@/lib/crowd/overview/try-rules';
import type { StagePace } from './pace';

const { batches, ledger } = tables;

export interface Money {
  currency: string;
  /** Earned so far, and how much of it has been paid out. */
  earnedMicro: bigint;
  paidMicro: bigint;
  /** For batches that are out now, should all of them be handed in. */
  committedMicro: bigint;
  /** Earned in the end, if every answer that is still wanted is paid by the policy of today. */
  projectedMicro: bigint;
}

type Raw = { currency: string; earned: string; paid: string };
type Leased = { stageId: string; items: number };

/** What the work has cost, costs now, and will have cost, by currency. Two statements. */
export async function moneyOf(
  db: Db,
  projectId: string,
  stages: readonly CrowdStage[],
  pace: readonly StagePace[],
): Promise<Money[]> {
  const [sums, out] = await Promise.all([
    db.execute<Raw>(sql`
      select currency, coalesce(sum(amount_micro) filter (where kind <> 'payment'), 0)::text as earned,
        coalesce(-sum(amount_micro) filter (where kind = 'payment'), 0)::text as paid
      from ${ledger} where project_id = ${projectId} group by currency order by currency`),
    db.execute<Leased>(sql`
      select b.stage_id as "stageId", count(l.id)::int as items
      from ${batches} b join ${tables.leases} l on l.batch_id = b.id
      where b.project_id = ${projectId} and b.state = 'leased' and b.kind = 'work' group by b.stage_id`),
  ]);
  const known = new Map(sums.rows.map((row) => [row.currency, row]));
  const currencies = [...new Set([...known.keys(), ...stages.map(({ policy }) => policy.pay.currency)])];
  return currencies.map((currency) => {
    const paidIn = stages.filter(({ policy }) => policy.pay.currency === currency);
    const total = (itemsOf: (stage: CrowdStage) => number) =>
      paidIn.reduce((sum, stage) => sum + priceOf(stage, itemsOf(stage)), 0n);
    const earnedMicro = BigInt(known.get(currency)?.earned ?? 0);
    return {
      currency,
      earnedMicro,
      paidMicro: BigInt(known.get(currency)?.paid ?? 0),
      committedMicro: total((stage) => out.rows.find(({ stageId }) => stageId === stage.id)?.items ?? 0),
      projectedMicro:
        earnedMicro + total((stage) => pace.find(({ stageId }) => stageId === stage.id)?.left ?? 0),
    };
  });
}
