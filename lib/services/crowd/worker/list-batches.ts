import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { OwnPayReview } from '../pay/pay-reviews';

const { answers, batches, leases, ledger, payReviews, projects, stages } = tables;

export type WorkerBatch = {
  id: string;
  projectId: string;
  stageId: string;
  project: string;
  stage: string;
  kind: 'work' | 'exam' | 'practice';
  /** Items that were answered, and items of the batch. */
  answered: number;
  size: number;
  /** `leased`: still open. */
  state: 'leased' | 'submitted' | 'expired' | 'returned';
  /** When it ended; for an open batch, when its time runs out. */
  endedAt: Date;
  activeMs: number;
  /** What it earned, late items included; null for nothing. */
  earned: { amountMicro: bigint; currency: string } | null;
  /** The review of its pay by a curator; null if it was paid automatically. */
  review: OwnPayReview | null;
};

type Row = Omit<WorkerBatch, 'endedAt' | 'activeMs' | 'earned'> & {
  endedAt: string;
  activeMs: string;
  amountMicro: string | null;
  currency: string | null;
};

/**
 * The batches of a worker, newest first, however they ended. One whose time has run out counts as expired, also while
 * nobody has reclaimed it yet. `before`: the last id of the page before.
 */
export async function listBatches(
  db: Db,
  workerId: string,
  page: { limit: number; before?: string },
): Promise<WorkerBatch[]> {
  const result = await db.execute<Row>(sql`
    select b.id, b.project_id as "projectId", b.stage_id as "stageId", p.name as project, s.name as stage, b.kind,
      case when b.state = 'leased' and b.leased_until < now() then 'expired' else b.state end as state,
      case when b.state = 'leased' then b.leased_until
        else coalesce(b.submitted_at, least(b.leased_until, now())) end as "endedAt",
      work.size, work.answered, work.active_ms as "activeMs",
      pay.amount_micro as "amountMicro", pay.currency,
      (select json_build_object('reason', r.reason, 'state', r.state, 'note', r.note)
        from ${payReviews} r where r.batch_id = b.id) as review
    from ${batches} b
    join ${projects} p on p.id = b.project_id
    join ${stages} s on s.id = b.stage_id
    cross join lateral (
      select count(*)::int as size, count(a.id)::int as answered, coalesce(sum(a.active_ms), 0)::text as active_ms
      from ${leases} l left join ${answers} a on a.lease_id = l.id where l.batch_id = b.id) work
    cross join lateral (
      select sum(e.amount_micro)::text as amount_micro, max(e.currency) as currency from ${ledger} e
      where e.kind in ('batch', 'exam', 'item') and e.source_id in (
        select b.id union all
        select a.id from ${leases} l join ${answers} a on a.lease_id = l.id where l.batch_id = b.id)) pay
    where b.worker_id = ${workerId} and ${page.before ? sql`b.id < ${page.before}` : sql`true`}
    order by b.id desc limit ${page.limit}`);
  return result.rows.map(({ endedAt, activeMs, amountMicro, currency, ...row }) => ({
    ...row,
    endedAt: new Date(endedAt),
    activeMs: Number(activeMs),
    earned: amountMicro && currency ? { amountMicro: BigInt(amountMicro), currency } : null,
  }));
}
