import type { Db, tables } from '@/db';
import { type CrowdStage, crowdStages } from '@/lib/crowd/overview/crowd-stages';
import { type CheckDay, checkDays } from '@/lib/crowd/overview/gold-use';
import { type Share, wilson } from '@/lib/quality/interval';
import { type Forecast, forecast } from './forecast';
import { moneyOf } from './money';
import { needsOf } from './needs';
import { paceOf, type StagePace } from './pace';

type Project = Pick<typeof tables.projects.$inferSelect, 'id' | 'policy' | 'state'>;

export interface StageForecast {
  stageId: string;
  left: number;
  forecast: Forecast;
}

/** What the curator's part of the overview shows beside the progress. A fixed number of statements. */
export async function readDashboard(db: Db, project: Project) {
  const [stages, pace, days] = await Promise.all([
    crowdStages(db, project),
    paceOf(db, project.id),
    checkDays(db, project.id),
  ]);
  const forecasts = pace.map(
    ({ stageId, left, perDay }): StageForecast => ({ stageId, left, forecast: forecast(left, perDay) }),
  );
  const [money, needs] = await Promise.all([
    moneyOf(db, project.id, stages, pace),
    needsOf(db, project.id, { stages, still: stillOf(project, stages, forecasts) }),
  ]);
  return { stages, forecasts, all: forecastAll(pace), money, needs, quality: qualityOf(days) };
}

export type Dashboard = Awaited<ReturnType<typeof readDashboard>>;

/** Open stages of a project that collects, with work left and nobody at it. */
function stillOf(project: Project, stages: readonly CrowdStage[], forecasts: readonly StageForecast[]) {
  if (project.state !== 'collecting') return [];
  const still = new Set(
    forecasts.filter((each) => each.forecast.kind === 'still').map((each) => each.stageId),
  );
  return stages.filter((stage) => stage.state === 'open' && still.has(stage.id));
}

function forecastAll(pace: readonly StagePace[]): Forecast {
  const days = pace[0]?.perDay.length ?? 0;
  const perDay = Array.from({ length: days }, (_, ago) =>
    pace.reduce((sum, stage) => sum + (stage.perDay[ago] ?? 0), 0),
  );
  return forecast(
    pace.reduce((sum, stage) => sum + stage.left, 0),
    perDay,
  );
}

export interface Quality {
  /** Share of the hidden checks passed in the last 7 days with checks, and in those before. */
  now: Share | null;
  before: Share | null;
  days: { day: string; passed: Share }[];
}

const RECENT = 7;

function qualityOf(rows: readonly CheckDay[]): Quality {
  const byDay = new Map<string, { checks: number; passed: number }>();
  for (const { day, checks, passed } of rows) {
    const sum = byDay.get(day) ?? { checks: 0, passed: 0 };
    byDay.set(day, { checks: sum.checks + checks, passed: sum.passed + passed });
  }
  const days = [...byDay].filter(([, { checks }]) => checks > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const over = (list: typeof days) =>
    wilson(
      list.reduce((sum, [, day]) => sum + day.passed, 0),
      list.reduce((sum, [, day]) => sum + day.checks, 0),
    );
  return {
    now: over(days.slice(-RECENT)),
    before: over(days.slice(0, -RECENT)),
    days: days.map(([day, { checks, passed }]) => ({ day, passed: wilson(passed, checks) as Share })),
  };
}
