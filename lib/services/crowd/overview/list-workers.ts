import { inArray, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { meanWithInterval, type Share, wilson } from '@/lib/core/quality/interval';
import { asDate } from './worker-stages';

const { answers, appeals, batches, checks, consents, exams, leases, ledger, memberships, standings, users } =
  tables;

/** How a worker stands in the project as a whole: the hardest of what holds in its stages. */
export const workerStates = [
  'ended',
  'paused',
  'refresher',
  'active',
  'exam failed',
  'withdrawn',
  'new',
] as const;
export type WorkerState = (typeof workerStates)[number];

export interface StageStanding {
  stageId: string;
  /** Null as long as no decision has been made. */
  standing: 'active' | 'refresher' | 'paused' | 'ended' | null;
  attempts: number;
  passed: boolean;
}

export interface WorkerRow {
  id: string;
  name: string;
  cohort: string | null;
  isMember: boolean;
  joinedAt: Date | null;
  state: WorkerState;
  stages: StageStanding[];
  openAppeals: number;
  items: number;
  activeMs: number;
  checks: number;
  passed: number;
  /** Sums over the checks of attribute stages. */
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  /** Of each check of a mask stage, what is held against the bar: the IoU, stretched for small parts if the policy says so. */
  maskScores: number[];
  /** Plain. */
  meanIou: number | null;
  earnedMicro: bigint;
  currency: string | null;
  lastSeen: Date | null;
}

const orders = {
  name: sql`lower(name)`,
  cohort: sql`lower(cohort)`,
  state: sql`array_position(array['ended', 'paused', 'refresher', 'exam failed', 'withdrawn', 'new', 'active'], state)`,
  items: sql`items`,
  checks: sql`checks`,
  score: sql`passed::float / nullif(checks, 0)`,
  precision: sql`true_positives::float / nullif(true_positives + false_positives, 0)`,
  recall: sql`true_positives::float / nullif(true_positives + false_negatives, 0)`,
  mask: sql`mean_iou`,
  hourly: sql`earned_micro::float / nullif(active_ms, 0)`,
  seen: sql`last_seen`,
} satisfies Record<string, SQL>;
export type WorkerOrder = keyof typeof orders;
export const workerOrders = Object.keys(orders) as WorkerOrder[];

export interface WorkerQuery {
  limit: number;
  /** Id of the last worker of the page before. */
  after?: string;
  /** Part of a name or of a cohort. */
  search?: string;
  state?: WorkerState;
  /** Items, checks and scores of this stage only. */
  stageId?: string;
  sort?: { key: WorkerOrder; descending: boolean };
}

type Raw = {
  [Key in keyof WorkerRow]: WorkerRow[Key] extends bigint
    ? string
    : WorkerRow[Key] extends Date | null
      ? string | null
      : WorkerRow[Key];
} & { total: number };

/**
 * Everybody who works or has worked in the project, in one statement. Those whose appeal waits for an answer come
 * first, whatever the order.
 */
export async function listWorkers(
  db: Db,
  projectId: string,
  query: WorkerQuery,
): Promise<{ rows: WorkerRow[]; total: number }> {
  const { limit, after, sort = { key: 'items', descending: true } } = query;
  const direction = sort.descending ? sql`desc nulls last` : sql`asc nulls last`;
  const result = await db.execute<Raw>(sql`
    with ${workersOf(projectId, query.stageId)},
    placed as (
      select *, row_number() over (
          order by open_appeals > 0 desc, ${orders[sort.key]} ${direction}, lower(name), id) as place,
        count(*) over ()::int as total
      from rated where ${matching(query)})
    select id, name, cohort, is_member as "isMember", joined_at as "joinedAt", state, stages,
      open_appeals as "openAppeals", items, active_ms as "activeMs", checks, passed,
      true_positives as "truePositives", false_positives as "falsePositives",
      false_negatives as "falseNegatives", mask_scores as "maskScores", mean_iou as "meanIou",
      earned_micro as "earnedMicro", currency, last_seen as "lastSeen", total
    from placed
    where place > coalesce((select place from placed where id = ${after ?? null}), 0)
    order by place limit ${limit}`);
  return {
    rows: result.rows.map(({ total: _, ...row }) => ({
      ...row,
      earnedMicro: BigInt(row.earnedMicro),
      joinedAt: asDate(row.joinedAt),
      lastSeen: asDate(row.lastSeen),
    })),
    total: result.rows[0]?.total ?? 0,
  };
}

function matching({ search, state }: WorkerQuery): SQL {
  const bySearch = search
    ? sql`(position(lower(${search}) in lower(name)) > 0 or position(lower(${search}) in lower(cohort)) > 0)`
    : sql`true`;
  return state ? sql`${bySearch} and state = ${state}` : bySearch;
}

/** One row per worker in `rated`. The time and the pay are those of the whole project, exams included. */
function workersOf(projectId: string, stageId: string | undefined): SQL {
  const ofStage = stageId ? sql`and b.stage_id = ${stageId}` : sql``;
  return sql`
    people as (
      select worker_id as id from ${batches} where project_id = ${projectId}
      union select user_id from ${memberships} where project_id = ${projectId} and role = 'worker'),
    worked as (
      select b.worker_id, count(a.id) filter (where b.kind = 'work' ${ofStage})::int as items,
        sum(a.active_ms) filter (where b.kind <> 'practice' or b.pay ? 'paysPractice') as active_ms,
        greatest(max(b.created_at), max(a.created_at)) as last_seen
      from ${batches} b left join ${leases} l on l.batch_id = b.id left join ${answers} a on a.lease_id = l.id
      where b.project_id = ${projectId} group by b.worker_id),
    checked as (
      select c.worker_id, count(*)::int as checks, (count(*) filter (where c.passed))::int as passed,
        coalesce(sum((c.score->>'truePositives')::int), 0)::int as true_positives,
        coalesce(sum((c.score->>'falsePositives')::int), 0)::int as false_positives,
        coalesce(sum((c.score->>'falseNegatives')::int), 0)::int as false_negatives,
        coalesce(array_agg(coalesce((c.score->>'level')::float, (c.score->>'iou')::float))
          filter (where c.score ? 'iou'), '{}') as mask_scores,
        avg((c.score->>'iou')::float) as mean_iou
      from ${batches} b join ${leases} l on l.batch_id = b.id join ${checks} c on c.lease_id = l.id
      where b.project_id = ${projectId} and b.kind = 'work' and c.passed is not null ${ofStage}
      group by c.worker_id),
    sat as (
      select worker_id, stage_id, count(*)::int as attempts, bool_or(passed) as passed
      from ${exams} where project_id = ${projectId} and passed is not null group by worker_id, stage_id),
    stood as (
      select worker_id, jsonb_agg(jsonb_build_object('stageId', stage_id, 'standing', s.state,
          'attempts', coalesce(e.attempts, 0), 'passed', coalesce(e.passed, false))) as stages,
        array_agg(s.state) as standings, bool_or(e.passed) as has_passed, count(e.attempts) > 0 as has_sat
      from sat e full join (
        select worker_id, stage_id, state from ${standings} where project_id = ${projectId}) s
        using (worker_id, stage_id)
      where ${stageId ? sql`stage_id = ${stageId}` : sql`true`} group by worker_id),
    earned as (
      select worker_id, sum(amount_micro)::text as earned_micro, max(currency) as currency from ${ledger}
      where project_id = ${projectId} and kind <> 'payment' group by worker_id),
    objecting as (
      select worker_id, count(*)::int as open_appeals from ${appeals}
      where project_id = ${projectId} and answered_at is null group by worker_id),
    agreed as (
      select distinct on (worker_id) worker_id, kind from ${consents}
      where project_id = ${projectId} order by worker_id, id desc),
    rated as (
      select u.id, u.name, m.cohort, m.user_id is not null as is_member, m.created_at as joined_at,
        case when agreed.kind = 'withdrawn' then 'withdrawn'
          when 'ended' = any(stood.standings) then 'ended' when 'paused' = any(stood.standings) then 'paused'
          when 'refresher' = any(stood.standings) then 'refresher'
          when stood.has_passed or worked.items > 0 then 'active'
          when stood.has_sat then 'exam failed' else 'new' end as state,
        coalesce(stood.stages, '[]') as stages, coalesce(objecting.open_appeals, 0) as open_appeals,
        coalesce(worked.items, 0) as items, coalesce(worked.active_ms, 0)::float as active_ms,
        coalesce(checks, 0) as checks, coalesce(passed, 0) as passed,
        coalesce(true_positives, 0) as true_positives, coalesce(false_positives, 0) as false_positives,
        coalesce(false_negatives, 0) as false_negatives, coalesce(mask_scores, '{}') as mask_scores, mean_iou,
        coalesce(earned_micro, '0') as earned_micro, earned.currency, worked.last_seen
      from people join ${users} u on u.id = people.id
      left join ${memberships} m on m.project_id = ${projectId} and m.user_id = u.id and m.role = 'worker'
      left join worked on worked.worker_id = u.id
      left join checked on checked.worker_id = u.id
      left join stood on stood.worker_id = u.id
      left join earned on earned.worker_id = u.id
      left join objecting on objecting.worker_id = u.id
      left join agreed on agreed.worker_id = u.id)`;
}

/** Names of workers by id, for lists that know only ids. */
export async function workerNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

interface WorkerEstimates {
  passed: Share | null;
  precision: Share | null;
  recall: Share | null;
  maskScore: Share | null;
  /** Millionths per hour of active time. */
  hourlyMicro: bigint | null;
}

/** What the sums of a worker's row say, each with its interval. */
export function estimatesOf(row: WorkerRow): WorkerEstimates {
  const { truePositives: hits, falsePositives, falseNegatives } = row;
  const mask = meanWithInterval(row.maskScores);
  return {
    passed: wilson(row.passed, row.checks),
    precision: wilson(hits, hits + falsePositives),
    recall: wilson(hits, hits + falseNegatives),
    maskScore: mask && { ...mask, low: Math.max(0, mask.low), high: Math.min(1, mask.high) },
    hourlyMicro: row.activeMs > 0 ? (row.earnedMicro * 3_600_000n) / BigInt(Math.round(row.activeMs)) : null,
  };
}
