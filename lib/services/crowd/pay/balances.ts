import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { ledger, payoutLines, payouts, payReviews } = tables;

/** In millionths of the currency. Pending is what is earned and not yet on an approved list or paid. */
export interface Balance {
  projectId: string;
  workerId: string;
  currency: string;
  earned: bigint;
  approved: bigint;
  paid: bigint;
  pending: bigint;
}

type Row = {
  projectId: string;
  workerId: string;
  currency: string;
  earned: string;
  approved: string;
  paid: string;
};

/** Sums of the ledger `e` where `which` holds, by project, worker and currency. */
export async function balances(db: Db, which: SQL): Promise<Balance[]> {
  const found = await db.execute<Row>(sql`
    select e.project_id as "projectId", e.worker_id as "workerId", e.currency,
      (coalesce(sum(e.amount_micro) filter (where e.kind <> 'payment'), 0))::text as earned,
      (coalesce(-sum(e.amount_micro) filter (where e.kind = 'payment'), 0))::text as paid,
      (select coalesce(sum(line.amount_micro), 0) from ${payoutLines} line
        join ${payouts} p on p.id = line.payout_id and p.state = 'approved' and p.project_id = e.project_id
        where line.worker_id = e.worker_id and line.currency = e.currency)::text as approved
    from ${ledger} e where ${which}
    group by e.project_id, e.worker_id, e.currency
    order by e.project_id, e.worker_id, e.currency`);
  return found.rows.map((row) => {
    const [earned, approved, paid] = [BigInt(row.earned), BigInt(row.approved), BigInt(row.paid)];
    const { projectId, workerId, currency } = row;
    return { projectId, workerId, currency, earned, approved, paid, pending: earned - approved - paid };
  });
}

export type WorkerMoney = Pick<Balance, 'currency' | 'earned' | 'approved' | 'paid' | 'pending'> & {
  /** Paid once a curator approves the work. */
  inReview: bigint;
};

/** What a worker earned in all projects, by currency. */
export async function workerMoney(db: Db, workerId: string): Promise<WorkerMoney[]> {
  const sums = new Map<string, WorkerMoney>();
  for (const { currency, earned, approved, paid, pending } of await balances(
    db,
    sql`e.worker_id = ${workerId}`,
  )) {
    const sum = sums.get(currency) ?? nothing(currency);
    sums.set(currency, {
      currency,
      earned: sum.earned + earned,
      approved: sum.approved + approved,
      paid: sum.paid + paid,
      pending: sum.pending + pending,
      inReview: sum.inReview,
    });
  }
  for (const { currency, amountMicro } of await inReviewOf(db, workerId)) {
    const sum = sums.get(currency) ?? nothing(currency);
    sums.set(currency, { ...sum, inReview: sum.inReview + amountMicro });
  }
  return [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

const nothing = (currency: string): WorkerMoney => ({
  currency,
  earned: 0n,
  approved: 0n,
  paid: 0n,
  pending: 0n,
  inReview: 0n,
});

const inReviewOf = (db: Db, workerId: string) =>
  db
    .select({ currency: payReviews.currency, amountMicro: payReviews.amountMicro })
    .from(payReviews)
    .where(and(eq(payReviews.workerId, workerId), eq(payReviews.state, 'open')));
