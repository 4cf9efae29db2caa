import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type Share, wilson } from '@/lib/core/quality/interval';
import { type CrowdStage, crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { priceOf } from '@/lib/services/crowd/overview/try-rules';
import { payFor, promisedFor } from '@/lib/services/crowd/work/pay-for';
import { countByClass } from '@/lib/services/images/filters';
import {
  type ActiveDay,
  type Activity,
  byDay,
  FORECAST_DAYS,
  type Forecast,
  forecast,
  recentActivity,
} from './forecast';
import { needsOf, needsOfAll } from './needs';

type Project = Pick<typeof tables.projects.$inferSelect, 'id' | 'policy' | 'state'>;

export interface DashboardStage extends StageProgress {
  forecast: Forecast;
  /** Of the last 30 days. */
  medianSeconds: number | null;
}

/**
 * Is it going well? What the overview of a project shows, in a fixed number of statements. Money, and what waits for a
 * curator, is only read for who sees it.
 */
export async function readDashboard(db: Db, project: Project, { seesCrowd }: { seesCrowd: boolean }) {
  const [classes, progress, activity] = await Promise.all([
    countByClass(db, project.id),
    stageProgress(db, project.id),
    recentActivity(db, project.id),
  ]);
  const stages = progress.map((stage): DashboardStage => {
    const found = activity.find(({ stageId }) => stageId === stage.id);
    return {
      ...stage,
      forecast: forecast(stage.left, found?.perDay ?? idle),
      medianSeconds: found?.medianSeconds ?? null,
    };
  });
  const days = byDay(activity.flatMap((stage) => stage.days));
  return {
    classes,
    imageCount: classes.reduce((sum, row) => sum + row.count, 0),
    stages,
    all: forecastAll(stages, activity),
    days,
    quality: qualityOf(days),
    ...(await crowdsPart(db, project, stages, seesCrowd)),
  };
}

export type Dashboard = Awaited<ReturnType<typeof readDashboard>>;

const idle = Array.from({ length: FORECAST_DAYS }, () => 0);

async function crowdsPart(db: Db, project: Project, progress: readonly DashboardStage[], seesCrowd: boolean) {
  if (!seesCrowd) return { money: [], needs: await needsOfAll(db, project.id) };
  const stages = await crowdStages(db, project);
  const [money, needs] = await Promise.all([
    moneyOf(db, project.id, stages, new Map(progress.map(({ id, left }) => [id, left]))),
    needsOf(db, project.id, { stages, still: stillOf(project, stages, progress) }),
  ]);
  return { money, needs };
}

/** Open stages of a project that collects, with work left and nobody at it. */
function stillOf(project: Project, stages: readonly CrowdStage[], progress: readonly DashboardStage[]) {
  if (project.state !== 'collecting') return [];
  const still = new Set(progress.filter((each) => each.forecast.kind === 'still').map(({ id }) => id));
  return stages.filter((stage) => stage.state === 'open' && still.has(stage.id));
}

const forecastAll = (stages: readonly StageProgress[], activity: readonly Activity[]): Forecast =>
  forecast(
    stages.reduce((sum, stage) => sum + stage.left, 0),
    idle.map((_, ago) => activity.reduce((sum, stage) => sum + (stage.perDay[ago] ?? 0), 0)),
  );

interface Quality {
  /** Share of the hidden checks passed in the last 7 days with checks, and in those before. */
  now: Share | null;
  before: Share | null;
  days: { day: string; passed: Share }[];
}

const RECENT = 7;

function qualityOf(rows: readonly ActiveDay[]): Quality {
  const days = rows.filter(({ checks }) => checks > 0);
  const over = (list: readonly ActiveDay[]) =>
    wilson(
      list.reduce((sum, day) => sum + day.passed, 0),
      list.reduce((sum, day) => sum + day.checks, 0),
    );
  return {
    now: over(days.slice(-RECENT)),
    before: over(days.slice(0, -RECENT)),
    days: days.map(({ day, checks, passed }) => ({ day, passed: wilson(passed, checks) as Share })),
  };
}

const { items, stages } = tables;

type StageProgress = {
  id: string;
  name: string;
  kind: string;
  state: string;
  /** Items that are asked or were; withdrawn ones are neither. */
  total: number;
  settled: number;
  leased: number;
  /** Answers that open items still want, those out on lease included. */
  left: number;
};

/** How far each stage is, from the counters of its items: no answer is read. One statement. */
async function stageProgress(db: Db, projectId: string): Promise<StageProgress[]> {
  const result = await db.execute<StageProgress>(sql`
    select s.id, s.name, s.kind, s.state, coalesce(i.total, 0) as total, coalesce(i.settled, 0) as settled,
      coalesce(i.leased, 0) as leased, coalesce(i."left", 0) as "left"
    from ${stages} s left join (
      select stage_id, (count(*) filter (where state <> 'withdrawn'))::int as total,
        (count(*) filter (where state = 'settled'))::int as settled,
        sum(leased)::int as leased,
        coalesce(sum(greatest(overlap - answered, 0)) filter (where state = 'open'), 0)::int as "left"
      from ${items} where project_id = ${projectId} group by stage_id) i on i.stage_id = s.id
    where s.project_id = ${projectId} order by s.position`);
  return result.rows;
}

const { batches, leases, ledger } = tables;

export interface Money {
  currency: string;
  /** Earned so far, and how much of it has been paid out. */
  earnedMicro: bigint;
  paidMicro: bigint;
  /** For batches that are out now, should all of them be handed in, at the prices that they were taken at. */
  committedMicro: bigint;
  /** Earned in the end, if every answer that is still wanted is paid by the policy of today. */
  projectedMicro: bigint;
}

type Raw = { currency: string; earned: string; paid: string };
type Out = {
  stageId: string;
  kind: 'work' | 'exam';
  pay: Record<string, unknown> | null;
  size: number;
  batches: number;
};

/** What the work has cost, costs now, and will have cost, by currency. Two statements. */
async function moneyOf(
  db: Db,
  projectId: string,
  stages: readonly CrowdStage[],
  left: ReadonlyMap<string, number>,
): Promise<Money[]> {
  const [sums, out] = await Promise.all([
    db.execute<Raw>(sql`
      select currency, coalesce(sum(amount_micro) filter (where kind <> 'payment'), 0)::text as earned,
        coalesce(-sum(amount_micro) filter (where kind = 'payment'), 0)::text as paid
      from ${ledger} where project_id = ${projectId} group by currency order by currency`),
    batchesOut(db, projectId),
  ]);
  const known = new Map(sums.rows.map((row) => [row.currency, row]));
  const promised = out.flatMap((batch) => {
    const stage = stages.find(({ id }) => id === batch.stageId);
    return stage ? [reservedFor(stage, batch)] : [];
  });
  const currencies = new Set([
    ...known.keys(),
    ...stages.map(({ policy }) => policy.pay.currency),
    ...promised.map(({ currency }) => currency),
  ]);
  return [...currencies].map((currency) => {
    const earnedMicro = BigInt(known.get(currency)?.earned ?? 0);
    const paidIn = stages.filter(({ policy }) => policy.pay.currency === currency);
    return {
      currency,
      earnedMicro,
      paidMicro: BigInt(known.get(currency)?.paid ?? 0),
      committedMicro: total(promised.filter((each) => each.currency === currency).map(({ micro }) => micro)),
      projectedMicro: earnedMicro + total(paidIn.map((stage) => priceOf(stage, left.get(stage.id) ?? 0))),
    };
  });
}

const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Batches of one stage, price and size together: each is paid by itself, and rounded by itself. */
async function batchesOut(db: Db, projectId: string): Promise<Out[]> {
  const found = await db.execute<Out>(sql`
    select "stageId", kind, pay, size, count(*)::int as batches from (
      select b.stage_id as "stageId", b.kind, b.pay,
        (select count(*)::int from ${leases} l where l.batch_id = b.id) as size
      from ${batches} b
      where b.project_id = ${projectId} and b.state = 'leased' and b.kind in ('work', 'exam')) as out
    group by 1, 2, 3, 4`);
  return found.rows;
}

function reservedFor({ kind: stageKind, policy }: CrowdStage, { kind, pay, size, batches: n }: Out) {
  const price = promisedFor({ pay }, policy);
  const each = payFor(price, { stageKind, kind, answered: size, size });
  return { currency: price.pay.currency, micro: each * BigInt(n) };
}
