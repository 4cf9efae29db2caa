import { sql } from 'drizzle-orm';
import { type Db, firstIdAt, tables } from '@/db';
import { studentQuantile } from '@/lib/core/quality/distributions';

/** Days that a forecast looks back over: a week, so that week-ends are in it. */
export const FORECAST_DAYS = 7;

export type Forecast =
  | { kind: 'done' }
  /** Nothing came in: there is no rate to go by. */
  | { kind: 'still' }
  | {
      kind: 'moving';
      /** Answers a day, with the 95 % interval. */
      perDay: number;
      low: number;
      high: number;
      /** Days until nothing is left, at that rate; the later end is null where the rate may be next to none. */
      days: number;
      soonest: number;
      latest: number | null;
    };

/**
 * When a stage is done if the next days are like the last ones. The days are taken as draws of a rate (Student's
 * interval of their mean), so that one busy day among idle ones promises little.
 */
export function forecast(left: number, perDay: readonly number[]): Forecast {
  if (left <= 0) return { kind: 'done' };
  const n = perDay.length;
  const rate = n > 0 ? perDay.reduce((sum, count) => sum + count, 0) / n : 0;
  if (rate === 0) return { kind: 'still' };
  const squares = perDay.reduce((sum, count) => sum + (count - rate) ** 2, 0);
  // Never surer than counting alone allows (Poisson), also where all days happen to be alike.
  const variance = Math.max(n > 1 ? squares / (n - 1) : 0, rate);
  const half = studentQuantile(0.975, Math.max(1, n - 1)) * Math.sqrt(variance / n);
  const [low, high] = [Math.max(0, rate - half), rate + half];
  return {
    kind: 'moving',
    perDay: rate,
    low,
    high,
    days: left / rate,
    soonest: left / high,
    latest: low > 0 ? left / low : null,
  };
}

const { answers, batches, checks, leases } = tables;

/** Days that the overview looks back over. */
export const RECENT_DAYS = 30;

const DAY_MS = 86_400_000;

/**
 * Batches begun in twice that time hold its answers: a lease is over in hours, and what comes later than a month after
 * that is too little to change a figure. Ids grow with time, so that this is a range of an index and the years before
 * are not read.
 */
export const recentBatchId = (now = Date.now()): string => firstIdAt(now - 2 * RECENT_DAYS * DAY_MS);

export interface Activity {
  stageId: string;
  /** Answers to work in each of the last days of 24 hours, the newest first. */
  perDay: number[];
  medianSeconds: number | null;
  days: ActiveDay[];
}

export interface ActiveDay {
  /** "2026-11-16", UTC. */
  day: string;
  answers: number;
  checks: number;
  passed: number;
}

type Row = ActiveDay & { ago: number; work: number };
type Raw = { stageId: string; medianSeconds: number | null; rows: Row[] };

/** What came in of late, by stage and day: the pace, the charts and the quality are read off one statement. */
export async function recentActivity(db: Db, projectId: string): Promise<Activity[]> {
  const found = await db.execute<Raw>(sql`
    with recent as materialized (
      select b.stage_id, b.kind = 'work' as is_work, a.created_at, a.active_ms, c.passed
      from ${batches} b
      join ${leases} l on l.batch_id = b.id
      join ${answers} a on a.lease_id = l.id
      left join ${checks} c on c.lease_id = l.id
      where b.project_id = ${projectId} and b.id > ${recentBatchId()}
        and a.created_at > now() - ${RECENT_DAYS} * interval '24 hours'),
    by_day as (
      select stage_id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
        floor(extract(epoch from now() - created_at) / 86400)::int as ago,
        count(*)::int as answers, (count(*) filter (where is_work))::int as work,
        (count(passed) filter (where is_work))::int as checks,
        (count(*) filter (where is_work and passed))::int as passed
      from recent group by 1, 2, 3),
    middle as (
      select stage_id, percentile_cont(0.5) within group (order by active_ms) / 1000 as seconds
      from recent where is_work group by 1)
    select d.stage_id as "stageId", max(middle.seconds) as "medianSeconds", jsonb_agg(to_jsonb(d) - 'stage_id') as rows
    from by_day d left join middle on middle.stage_id = d.stage_id group by 1`);
  return found.rows.map(({ stageId, medianSeconds, rows }) => ({
    stageId,
    medianSeconds,
    perDay: Array.from(
      { length: FORECAST_DAYS },
      (_, ago) => sum(rows.filter((row) => row.ago === ago)).work,
    ),
    days: byDay(rows),
  }));
}

/** Several lists of days as one, in the order of time. */
export function byDay(rows: readonly ActiveDay[]): ActiveDay[] {
  const names = [...new Set(rows.map(({ day }) => day))].sort();
  return names.map((day) => {
    const { answers: all, checks: shown, passed } = sum(rows.filter((row) => row.day === day));
    return { day, answers: all, checks: shown, passed };
  });
}

const sum = (rows: readonly (ActiveDay & { work?: number })[]) =>
  rows.reduce(
    (total, row) => ({
      answers: total.answers + row.answers,
      work: total.work + (row.work ?? 0),
      checks: total.checks + row.checks,
      passed: total.passed + row.passed,
    }),
    { answers: 0, work: 0, checks: 0, passed: 0 },
  );
