import { sql } from 'drizzle-orm';
import { type Db, firstIdAt, tables } from '@/db';
import { RECENT_DAYS, recentBatchId } from './forecast';

const { answers, batches, checks, leases, ledger, memberships, users } = tables;

export type BusyWorker = {
  id: string;
  name: string;
  answers: number;
  activeMinutes: number;
  /** Hidden checks in ordinary work; what was asked in an exam or for practice is none. */
  checks: number;
  passed: number;
  /** By currency: sums of two currencies are no sum. */
  earned: { currency: string; micro: string }[];
  lastAt: Date | null;
};

const DAY_MS = 86_400_000;

/** Who did most in the last 30 days, with what they did and earned in these. One statement, however many they are. */
export async function busiestWorkers(db: Db, projectId: string, limit: number): Promise<BusyWorker[]> {
  const paidSince = firstIdAt(Date.now() - RECENT_DAYS * DAY_MS);
  const result = await db.execute<BusyWorker>(sql`
    with done as (
      select b.worker_id, count(*)::int as answers, sum(a.active_ms) / 60000.0 as minutes,
        max(a.created_at) as last_at, (count(c.passed) filter (where b.kind = 'work'))::int as checks,
        (count(*) filter (where b.kind = 'work' and c.passed))::int as passed
      from ${batches} b
      join ${leases} l on l.batch_id = b.id
      join ${answers} a on a.lease_id = l.id
      left join ${checks} c on c.lease_id = l.id
      where b.project_id = ${projectId} and b.id > ${recentBatchId()}
        and a.created_at > now() - ${RECENT_DAYS} * interval '24 hours'
      group by b.worker_id),
    sums as (
      select worker_id, currency, sum(amount_micro)::text as micro from ${ledger}
      where project_id = ${projectId} and id > ${paidSince} and kind <> 'payment' group by 1, 2),
    earned as (
      select worker_id, jsonb_agg(jsonb_build_object('currency', currency, 'micro', micro) order by currency) as list
      from sums group by worker_id)
    select u.id, u.name, coalesce(d.answers, 0) as answers, coalesce(d.minutes, 0)::float as "activeMinutes",
      coalesce(d.checks, 0) as checks, coalesce(d.passed, 0) as passed, coalesce(e.list, '[]') as earned,
      d.last_at as "lastAt"
    from ${memberships} m join ${users} u on u.id = m.user_id
    left join done d on d.worker_id = u.id
    left join earned e on e.worker_id = u.id
    where m.project_id = ${projectId} and m.role = 'worker'
    order by 3 desc, u.name limit ${limit}`);
  return result.rows;
}
