import type { Db, tables } from '@/db';
import { type Share, wilson } from '@/lib/core/quality/interval';
import { type CrowdStage, crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { countByClass } from '@/lib/services/images/filters';
import { FORECAST_DAYS, type Forecast, forecast } from './forecast';
import { moneyOf } from './money';
import { needsOf, needsOfAll } from './needs';
import { type ActiveDay, type Activity, byDay, recentActivity } from './recent-activity';
import { type StageProgress, stageProgress } from './stage-progress';

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

export interface Quality {
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
