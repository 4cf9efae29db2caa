import { and, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type Balance, balances } from './balances';

const { payReviews } = tables;

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
