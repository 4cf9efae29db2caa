import type { Metadata } from 'next';
import { Histogram, LineChart } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { binValues } from '@/lib/core/charts';
import { formatDate, formatNumber, formatPercent } from '@/lib/core/format';
import type { ExposureTrend, ShortClass } from '@/lib/core/quality/gold-balance';
import { wilson } from '@/lib/core/quality/interval';
import { isOpenIn } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { type CrowdStage, crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import {
  type CheckDay,
  checkDays,
  type GoldUse,
  goldBalance,
  goldLeaks,
  goldUse,
} from '@/lib/services/crowd/overview/gold-use';
import { CrowdPage } from '../crowd-page';
import { GoldTable } from './gold-table';

export const metadata: Metadata = { title: 'Checks' };

type Props = PageProps<'/projects/[project]/crowd/checks'>;

/** Rows that fit on a page without paging; those worth looking at come first. */
const SHOWN = 200;

export default async function Checks({ params }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const db = database();
  const [stages, uses, days, leaks, balance] = await Promise.all([
    crowdStages(db, project),
    goldUse(db, project.id),
    checkDays(db, project.id),
    goldLeaks(db, project.id),
    goldBalance(db, project.id),
  ]);
  return (
    <CrowdPage
      slug={project.slug}
      at="/checks"
      title="Checks"
      description="Gold items are hidden in ordinary batches. Here is how often each was met, how often it was passed, and whether its answer may have leaked."
    >
      <Numbers uses={uses} days={days} />
      {stages.map((stage) => (
        <StageChecks
          key={stage.id}
          stage={stage}
          uses={uses.filter((use) => use.stageId === stage.id)}
          days={days.filter((day) => day.stageId === stage.id)}
          leak={leaks.get(stage.id) ?? null}
          short={balance.get(stage.id) ?? []}
        />
      ))}
      <Panel
        title="Gold"
        description={
          uses.length > SHOWN
            ? `The ${SHOWN} first of ${formatNumber(uses.length)}: candidates, then the most exposed.`
            : 'Candidates first, then the most exposed.'
        }
        flush
      >
        <GoldTable
          slug={project.slug}
          uses={uses.slice(0, SHOWN)}
          stages={stages}
          mayDecide={isOpenIn('gold.write', project.state)}
        />
      </Panel>
    </CrowdPage>
  );
}

const sum = <Row,>(rows: Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);

function Numbers({ uses, days }: { uses: GoldUse[]; days: CheckDay[] }) {
  const checks = sum(days, (day) => day.checks);
  const passed = wilson(
    sum(days, (day) => day.passed),
    checks,
  );
  const answers = sum(days, (day) => day.answers);
  return (
    <StatStrip>
      <Stat label="Gold in use" value={formatNumber(uses.filter((use) => use.state === 'active').length)} />
      <Stat label="Candidates" value={formatNumber(uses.filter((use) => use.state === 'candidate').length)} />
      <Stat label="Retired" value={formatNumber(uses.filter((use) => use.state === 'retired').length)} />
      <Stat label="Check rate, 30 d" value={formatPercent(answers ? checks / answers : null)} n={answers} />
      <Stat
        label="Passed, 30 d"
        value={formatPercent(passed?.value, 0)}
        n={checks}
        interval={passed ? `${formatNumber(passed.low * 100)}–${formatNumber(passed.high * 100)}` : undefined}
      />
      <Stat label="Drifting" value={formatNumber(uses.filter((use) => use.hasDrifted).length)} />
    </StatStrip>
  );
}

interface StageChecksProps {
  stage: CrowdStage;
  uses: GoldUse[];
  days: CheckDay[];
  leak: ExposureTrend | null;
  short: ShortClass[];
}

function StageChecks({ stage, uses, days, leak, short }: StageChecksProps) {
  const active = uses.filter((use) => use.state === 'active');
  if (uses.length === 0) return null;
  return (
    <Panel title={stage.name}>
      {leak && <Leak leak={leak} />}
      {short.length > 0 && <Short classes={short} />}
      <div className="grid gap-6 xl:grid-cols-2">
        <Histogram
          title="People who met a gold item"
          note={`n = ${formatNumber(active.length)} in use; the policy retires one at ${formatNumber(stage.policy.gold.maxExposures)}`}
          bins={binValues(
            active.map((use) => use.exposures),
            { domain: [0, Math.max(10, ...active.map((use) => use.exposures))], count: 10 },
          )}
          axisTitle="People"
        />
        <LineChart
          title="Checks passed per day"
          note="Last 30 days, UTC; band: 95 % interval"
          x={{ title: 'Day', format: (value) => formatDate(value).slice(5) }}
          y={{ title: 'Share', domain: [0, 1] }}
          series={[
            {
              name: 'Passed',
              points: days.flatMap((day) => {
                const share = wilson(day.passed, day.checks);
                return share
                  ? [{ x: Date.parse(day.day), y: share.value, low: share.low, high: share.high }]
                  : [];
              }),
            },
          ]}
        />
      </div>
    </Panel>
  );
}

const MAX_NAMED_CLASSES = 4;

const Short = ({ classes }: { classes: ShortClass[] }) => (
  <p className="mb-4 max-w-prose rounded-md border border-line bg-hover px-3 py-2 text-sm">
    <State state="short" tone="warn">
      Gold is unevenly spread.
    </State>{' '}
    {classes
      .slice(0, MAX_NAMED_CLASSES)
      .map(
        ({ className, imageShare, goldShare, missing }) =>
          `${className ?? 'No class'}: ${formatPercent(imageShare, 0)} of the images, ${formatPercent(goldShare, 0)} of the gold (${formatNumber(missing)} more needed)`,
      )
      .join('; ')}
    {classes.length > MAX_NAMED_CLASSES &&
      `; and ${formatNumber(classes.length - MAX_NAMED_CLASSES)} more classes`}
    . Workers who have met all gold of a class are checked on other classes only, which makes checks easier to
    guess.
  </p>
);

/** Workers who meet gold late pass it more often than those who meet it early: they may share answers. */
const Leak = ({ leak }: { leak: ExposureTrend }) => (
  <p role="alert" className="mb-4 max-w-prose rounded-md border border-line bg-hover px-3 py-2 text-sm">
    <State state="leak" tone="bad">
      Answers may have leaked
    </State>{' '}
    Workers who met a gold item late passed {formatPercent(leak.late, 0)}, those who met it early{' '}
    {formatPercent(leak.early, 0)} (n = {formatNumber(leak.n)}, z = {leak.z.toFixed(1)}, one false alarm in
    1,000 is expected). Retire the most exposed gold, add new gold, and look at workers of the same cohort.
  </p>
);
