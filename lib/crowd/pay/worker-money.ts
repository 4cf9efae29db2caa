import { sql } from 'drizzle-orm';
import type { Db } from '@/db';
import { type Balance, balances } from './balances';

export type WorkerMoney = Pick<Balance, 'currency' | 'earned' | 'approved' | 'paid' | 'pending'>;

/** What a worker earned in all projects, by currency. */
export async function workerMoney(db: Db, workerId: string): Promise<WorkerMoney[]> {
  const sums = new Map<string, WorkerMoney>();
  for (const { currency, earned, approved, paid, pending } of await balances(
    db,
    sql`e.worker_id = ${workerId}`,
  )) {
    const sum = sums.get(currency) ?? { currency, earned: 0n, approved: 0n, paid: 0n, pending: 0n };
    sums.set(currency, {
      currency,
      earned: sum.earned + earned,
      approved: sum.approved + approved,
      paid: sum.paid + paid,
      pending: sum.pending + pending,
    });
  }
  return [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
