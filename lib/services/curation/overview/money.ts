import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { priceOf } from '@/lib/services/crowd/overview/try-rules';
import { payFor } from '@/lib/services/crowd/work/pay-for';
import { promisedFor } from '@/lib/services/crowd/work/price';

const { batches, leases, ledger } = tables;

export interface Money {
  currency: string;
  /** Earned so far, and how much of it has been paid out. */
  earnedMicro: bigint;
  paidMicro: bigint;
  /** For batches that are out now, should all of them be handed in, at the prices that they were taken at. */
  committedMicro: bigint;
  /** Earned in the end, if every answer that is still wanted is paid by the policy of today. */
  projectedMicro: bigint;
}

type Raw = { currency: string; earned: string; paid: string };
type Out = {
  stageId: string;
  kind: 'work' | 'exam';
  pay: Record<string, unknown> | null;
  size: number;
  batches: number;
};

/** What the work has cost, costs now, and will have cost, by currency. Two statements. */
export async function moneyOf(
  db: Db,
  projectId: string,
  stages: readonly CrowdStage[],
  left: ReadonlyMap<string, number>,
): Promise<Money[]> {
  const [sums, out] = await Promise.all([
    db.execute<Raw>(sql`
      select currency, coalesce(sum(amount_micro) filter (where kind <> 'payment'), 0)::text as earned,
        coalesce(-sum(amount_micro) filter (where kind = 'payment'), 0)::text as paid
      from ${ledger} where project_id = ${projectId} group by currency order by currency`),
    batchesOut(db, projectId),
  ]);
  const known = new Map(sums.rows.map((row) => [row.currency, row]));
  const promised = out.flatMap((batch) => {
    const stage = stages.find(({ id }) => id === batch.stageId);
    return stage ? [promiseOf(stage, batch)] : [];
  });
  const currencies = new Set([
    ...known.keys(),
    ...stages.map(({ policy }) => policy.pay.currency),
    ...promised.map(({ currency }) => currency),
  ]);
  return [...currencies].map((currency) => {
    const earnedMicro = BigInt(known.get(currency)?.earned ?? 0);
    const paidIn = stages.filter(({ policy }) => policy.pay.currency === currency);
    return {
      currency,
      earnedMicro,
      paidMicro: BigInt(known.get(currency)?.paid ?? 0),
      committedMicro: total(promised.filter((each) => each.currency === currency).map(({ micro }) => micro)),
      projectedMicro: earnedMicro + total(paidIn.map((stage) => priceOf(stage, left.get(stage.id) ?? 0))),
    };
  });
}

const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Batches of one stage, price and size together: each is paid by itself, and rounded by itself. */
async function batchesOut(db: Db, projectId: string): Promise<Out[]> {
  const found = await db.execute<Out>(sql`
    select "stageId", kind, pay, size, count(*)::int as batches from (
      select b.stage_id as "stageId", b.kind, b.pay,
        (select count(*)::int from ${leases} l where l.batch_id = b.id) as size
      from ${batches} b
      where b.project_id = ${projectId} and b.state = 'leased' and b.kind in ('work', 'exam')) as out
    group by 1, 2, 3, 4`);
  return found.rows;
}

function promiseOf({ kind: stageKind, policy }: CrowdStage, { kind, pay, size, batches: n }: Out) {
  const price = promisedFor({ pay }, policy);
  const each = payFor(price, { stageKind, kind, answered: size, size });
  return { currency: price.pay.currency, micro: each * BigInt(n) };
}
