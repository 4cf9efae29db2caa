import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { isSetAside } from '../work/is-set-aside';

const { answers, batches, checks, decisions, gold, labels, leases } = tables;

export interface Doubted {
  stageId: string;
  workerId: string;
}

/**
 * The answers of a worker that may be asked again: all since the last check they passed before the first one that
 * a decision since their last fresh start names; without such a decision, since the last check they passed at all.
 */
export async function workInDoubt(
  db: Db,
  { stageId, workerId }: Doubted,
): Promise<{ since: Date | null; answers: { id: string; itemId: string }[] }> {
  const checked = sql`
    select c.id, c.passed, a.created_at as at
    from ${checks} c
    join ${leases} l on l.id = c.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work'
    join ${answers} a on a.lease_id = l.id
    where c.worker_id = ${workerId} and c.passed is not null`;
  const found = await db.execute<{ since: string | null }>(sql`
    with checked as (${checked}), about as (
      select id, verdict, target, rule, evidence from ${decisions}
      where subject = 'worker' and subject_id = ${workerId} and stage_id = ${stageId} and target is null
    ), named as (
      select jsonb_array_elements_text(evidence) as id from about
      where id > all (select id from about where verdict = 'resume' and target is null
        and rule is distinct from 'refresher')
    ), trouble as (
      select min(at) as at from checked where not passed and id::text in (select id from named)
    )
    select max(at) as since from checked where passed and at < coalesce((select at from trouble), now())`);
  const since = found.rows[0]?.since ? new Date(found.rows[0].since) : null;
  return { since, answers: await countingSince(db, { stageId, workerId }, since) };
}

/**
 * Answers to ordinary items that count by now. What has become gold since, by which people are measured, and what a
 * curator has put right does not rest on them any more.
 */
export async function countingSince(db: Db, { stageId, workerId }: Doubted, since: Date | null) {
  const found = await db.execute<{ id: string; itemId: string }>(sql`
    select a.id, a.item_id as "itemId"
    from ${answers} a
    join ${leases} l on l.id = a.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work' and b.state <> 'leased'
    where a.worker_id = ${workerId} and (${since}::timestamptz is null or a.created_at > ${since}::timestamptz)
      and l.state <> 'late' and not exists (select 1 from ${checks} c where c.lease_id = l.id)
      and not ${isSetAside}
      and not exists (select 1 from ${gold} g where g.item_id = a.item_id and g.state = 'active')
      and not exists (select 1 from ${labels} made where made.item_id = a.item_id and made.is_current
        and made.provenance->>'method' = 'curator')
    order by a.created_at, a.id`);
  return found.rows;
}
