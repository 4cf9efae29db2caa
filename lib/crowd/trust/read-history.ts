import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue } from '@/lib/quality/answer';
import {
  barsOf,
  type HistoryAction,
  type HistoryAnswer,
  type HistoryCheck,
  type WorkerHistory,
} from '@/lib/quality/history';
import type { Policy } from '@/lib/quality/policy';
import { poolTimes } from '@/lib/quality/pool-times';
import { traitsOf } from '@/lib/quality/traits';

const { answers, batches, checks, decisions, gold, items, leases, standings } = tables;

export interface Whose {
  projectId: string;
  stageId: string;
  workerId: string;
  policy: Policy;
  /** Answers to look back at; checks and decisions are read whole. */
  newest: number;
}

/** Of fewer people on a gold item a mean says more about them than about the item. */
const FEWEST_ON_GOLD = 5;
/** Batches of everybody from which the usual time is told. */
const POOL_BATCHES = 40;

/** What a worker did in a stage, for the rules. */
export async function readHistory(db: Db, whose: Whose): Promise<WorkerHistory> {
  const [standing] = await db
    .select({ state: standings.state, since: standings.since })
    .from(standings)
    .where(sql`${standings.stageId} = ${whose.stageId} and ${standings.workerId} = ${whose.workerId}`);
  return {
    answers: await readAnswers(db, whose),
    checks: await readChecks(db, whose),
    actions: await readActions(db, whose),
    state: standing?.state ?? 'active',
    since: standing?.since ?? new Date(0),
    bars: barsOf(whose.policy),
    pool: poolTimes(await poolOf(db, whose)),
  };
}

async function readAnswers(db: Db, { stageId, workerId, newest }: Whose): Promise<HistoryAnswer[]> {
  const found = await db.execute<Omit<HistoryAnswer, 'at'> & { at: string; value: AnswerValue }>(sql`
    select a.id, a.item_id as "itemId", i.image_id as "imageId", i.target, a.created_at as at,
      a.active_ms as "activeMs", a.value
    from ${answers} a
    join ${leases} l on l.id = a.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work'
    join ${items} i on i.id = a.item_id
    where a.worker_id = ${workerId}
    order by a.created_at desc, a.id desc limit ${newest}`);
  return found.rows
    .map(({ value, at, ...row }) => ({ ...row, at: new Date(at), ...traitsOf(value) }))
    .reverse();
}

/** `expected` is the mean of others in good standing, for some gold is hard for everybody. */
async function readChecks(db: Db, { stageId, workerId }: Whose): Promise<HistoryCheck[]> {
  const found = await db.execute<Omit<HistoryCheck, 'at'> & { at: string }>(sql`
    select c.id, c.gold_id as "goldId", i.target, a.created_at as at, c.passed, c.score,
      case when others.n >= ${FEWEST_ON_GOLD} then others.level end as expected
    from ${checks} c
    join ${leases} l on l.id = c.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work'
    join ${answers} a on a.lease_id = l.id
    join ${gold} g on g.id = c.gold_id
    join ${items} i on i.id = g.item_id
    cross join lateral (
      select count(*) as n, avg((o.score->>'level')::float) as level
      from ${checks} o left join ${standings} s on s.stage_id = ${stageId} and s.worker_id = o.worker_id
      where o.gold_id = c.gold_id and o.worker_id <> c.worker_id and o.passed is not null
        and coalesce(s.state, 'active') not in ('paused', 'ended')) others
    where c.worker_id = ${workerId} and c.passed is not null
    order by a.created_at, c.id`);
  return found.rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

async function readActions(db: Db, { projectId, stageId, workerId }: Whose): Promise<HistoryAction[]> {
  const found = await db.execute<Omit<HistoryAction, 'at'> & { at: string }>(sql`
    select id as "decisionId", verdict, created_at as at from ${decisions}
    where subject = 'worker' and subject_id = ${workerId} and project_id = ${projectId}
      and stage_id = ${stageId}
    order by id`);
  return found.rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/** Milliseconds of recent answers by everybody in the stage. */
async function poolOf(db: Db, { projectId, stageId }: Whose): Promise<number[]> {
  const found = await db.execute<{ ms: number }>(sql`
    select a.active_ms as ms
    from (
      select id from ${batches} where project_id = ${projectId} and stage_id = ${stageId}
        and kind = 'work' and state = 'submitted'
      order by id desc limit ${POOL_BATCHES}) b
    join ${leases} l on l.batch_id = b.id
    join ${answers} a on a.lease_id = l.id`);
  return found.rows.map((row) => row.ms);
}
