import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { RecruiterId } from '@/db/schema';

const { arrivals, payoutLines, payouts, recruitments, users } = tables;

export interface Payout {
  id: string;
  state: 'approved' | 'paid' | 'cancelled';
  note: string;
  by: string | null;
  /** The marketplace of its people; null for the project's own. */
  recruiter: RecruiterId | null;
  /** Of the list over there, once it was handed over. */
  reference: string | null;
  at: Date;
  settledAt: Date | null;
  lines: number;
  /** By currency, in millionths. */
  sums: { currency: string; amountMicro: bigint }[];
}

type RawPayout = Omit<Payout, 'at' | 'settledAt' | 'sums'> & {
  at: string;
  settledAt: string | null;
  sums: { currency: string; amount: string }[];
};

/** The payout lists of a project, newest first. */
export async function listPayouts(db: Db, projectId: string, limit = 50): Promise<Payout[]> {
  const result = await db.execute<RawPayout>(sql`
    select p.id, p.state, p.note, p.reference, r.recruiter, u.name as by, p.created_at as at, p.settled_at as "settledAt",
      (select count(*)::int from ${payoutLines} l where l.payout_id = p.id) as lines,
      coalesce((select jsonb_agg(jsonb_build_object('currency', s.currency, 'amount', s.amount::text))
        from (select currency, sum(amount_micro) as amount from ${payoutLines} l
          where l.payout_id = p.id group by currency order by currency) s), '[]') as sums
    from ${payouts} p left join ${users} u on u.id = p.created_by
    left join ${recruitments} r on r.id = p.recruitment_id
    where p.project_id = ${projectId} order by p.id desc limit ${limit}`);
  return result.rows.map(({ sums, at, settledAt, ...row }) => ({
    ...row,
    at: new Date(at),
    settledAt: settledAt === null ? null : new Date(settledAt),
    sums: sums.map(({ currency, amount }) => ({ currency, amountMicro: BigInt(amount) })),
  }));
}

export interface PayoutLine {
  workerId: string;
  name: string;
  email: string;
  /** Where the money goes by way of a marketplace; null for the project's own people. */
  recruiter: RecruiterId | null;
  externalWorker: string | null;
  amountMicro: bigint;
  currency: string;
}

/** Whom a payout list pays. A list of another project has no lines here. */
export async function payoutLinesOf(
  db: Db,
  { projectId, payoutId }: { projectId: string; payoutId: string },
): Promise<PayoutLine[]> {
  const result = await db.execute<Omit<PayoutLine, 'amountMicro'> & { amountMicro: string }>(sql`
    select u.id as "workerId", u.name, u.email, came.recruiter, came.external_worker as "externalWorker",
      l.amount_micro::text as "amountMicro", l.currency
    from ${payouts} p join ${payoutLines} l on l.payout_id = p.id join ${users} u on u.id = l.worker_id
    left join lateral (
      select r.recruiter, a.external_worker from ${arrivals} a
      join ${recruitments} r on r.id = a.recruitment_id
      where a.worker_id = u.id and a.project_id = p.project_id order by a.id desc limit 1) came on true
    where p.id = ${payoutId} and p.project_id = ${projectId}
    order by lower(u.name), u.id`);
  return result.rows.map((row) => ({ ...row, amountMicro: BigInt(row.amountMicro) }));
}
