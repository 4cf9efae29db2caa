import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { answers, batches, leases, ledger, projects, stages } = tables;

export type WorkerBatch = {
  id: string;
  project: string;
  stage: string;
  kind: string;
  items: number;
  state: 'submitted' | 'expired' | 'returned';
  /** When it ended; for a batch whose time ran out, when that was. */
  ended_at: Date;
  active_ms: string;
  amount_micro: string | null;
  currency: string | null;
};

/** The batches of a worker that ended lately, in whatever way, with their pay. */
export async function recentBatches(db: Db, workerId: string, limit = 20): Promise<WorkerBatch[]> {
  const result = await db.execute<WorkerBatch>(sql`
    select b.id, p.name as project, s.name as stage, b.kind, b.state,
      coalesce(b.submitted_at, least(b.leased_until, now())) as ended_at,
      count(a.id)::int as items, coalesce(sum(a.active_ms), 0)::text as active_ms,
      max(l.amount_micro)::text as amount_micro, max(l.currency) as currency
    from ${batches} b
    join ${projects} p on p.id = b.project_id
    join ${stages} s on s.id = b.stage_id
    left join ${leases} le on le.batch_id = b.id
    left join ${answers} a on a.lease_id = le.id
    left join ${ledger} l on l.source_id = b.id and l.kind in ('batch', 'exam')
    where b.worker_id = ${workerId} and b.state <> 'leased'
    group by b.id, p.name, s.name
    order by b.id desc limit ${limit}`);
  return result.rows;
}
