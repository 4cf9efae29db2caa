import { sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { family, one, type Sample } from './prometheus';

const { batches, jobs, leases } = tables;

/**
 * What all processes share, so that every web server tells the same: take one of them, not the sum. Each question is
 * answered from a partial index; how many jobs were ever done is not asked, because that grows without end.
 */
export async function ofDatabase(db: Database): Promise<string[]> {
  const [found, work] = await Promise.all([
    db.execute<{ kind: string; state: string; n: number; oldest: number }>(sql`
      select kind, state, count(*)::int as n, extract(epoch from now() - min(created_at))::float as oldest
      from ${jobs} where state in ('queued', 'running', 'retrying') group by kind, state
      union all
      select kind, state, count(*)::int, 0 from ${jobs} where state = 'failed' group by kind, state`),
    db.execute<{ batches: number; overdue: number; leases: number }>(sql`
      select count(*)::int as batches, (count(*) filter (where b.leased_until < now()))::int as overdue,
        coalesce(sum((select count(*) from ${leases} l where l.batch_id = b.id and l.state = 'open')), 0)::int as leases
      from ${batches} b where b.state = 'leased'`),
  ]);
  const now = work.rows[0] ?? { batches: 0, overdue: 0, leases: 0 };
  const waiting = found.rows.filter(({ state }) => state === 'queued' || state === 'retrying');
  const byKind = (value: (row: (typeof waiting)[number]) => number) =>
    found.rows.map((row): Sample => ['', { kind: row.kind, state: row.state }, value(row)]);
  return [
    family(
      'tessera_jobs',
      'gauge',
      'Jobs that wait, run, are retried or have failed, by kind.',
      byKind(({ n }) => n),
    ),
    family(
      'tessera_jobs_waiting',
      'gauge',
      'Depth of the queue: jobs that no worker has begun.',
      one(waiting.reduce((sum, { n }) => sum + n, 0)),
    ),
    family(
      'tessera_jobs_waiting_seconds',
      'gauge',
      'Age of the job that has waited longest.',
      one(Math.max(0, ...waiting.map(({ oldest }) => oldest))),
    ),
    family('tessera_batches_leased', 'gauge', 'Batches that workers hold.', [
      ['', { state: 'running' }, now.batches - now.overdue],
      ['', { state: 'overdue' }, now.overdue],
    ]),
    family('tessera_leases_open', 'gauge', 'Items on lease that have no answer yet.', one(now.leases)),
  ];
}
