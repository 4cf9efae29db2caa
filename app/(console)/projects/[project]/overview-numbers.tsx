import { Stat, StatStrip } from '@/app/_ui/stat';
import { formatMoney, formatNumber, formatPercent } from '@/lib/core/format';
import type { Dashboard, Money } from '@/lib/services/curation/overview/read-dashboard';
import { forecastText } from './forecast-text';

interface Props {
  dashboard: Dashboard;
  path: string;
  seesCrowd: boolean;
  now: Date;
}

/** Progress and quality of a project; for curators also its costs. */
export function OverviewNumbers({ dashboard, path, seesCrowd, now }: Props) {
  const total = dashboard.stages.reduce((sum, stage) => sum + stage.total, 0);
  const settled = dashboard.stages.reduce((sum, stage) => sum + stage.settled, 0);
  const { now: quality, before } = dashboard.quality;
  const { span, spanBetween } = forecastText(dashboard.all, now);
  return (
    <>
      <StatStrip>
        <Stat label="Images" value={formatNumber(dashboard.imageCount)} href={`${path}/images`} />
        <Stat label="Items settled" value={formatPercent(total ? settled / total : null, 0)} n={total} />
        <Stat label="Done in" value={total ? span : '–'} interval={spanBetween} />
        <Stat
          label="Checks passed"
          value={formatPercent(quality?.value, 0)}
          n={quality?.n ?? 0}
          interval={
            quality ? `${formatNumber(quality.low * 100)}–${formatNumber(quality.high * 100)}` : undefined
          }
          href={seesCrowd ? `${path}/crowd/checks` : undefined}
          trend={
            quality && before
              ? {
                  difference: 100 * (quality.value - before.value),
                  since: 'the last 7 days',
                  unit: ' points',
                  better: 'more',
                }
              : undefined
          }
        />
      </StatStrip>
      {seesCrowd && <Costs money={dashboard.money} path={path} />}
    </>
  );
}

function Costs({ money, path }: { money: Money[]; path: string }) {
  const say = (of: (each: Money) => bigint) =>
    money.map((each) => formatMoney(of(each), each.currency)).join(', ') || '–';
  return (
    <StatStrip>
      <Stat label="Earned by workers" value={say((each) => each.earnedMicro)} href={`${path}/crowd/pay`} />
      <Stat label="Not yet paid out" value={say((each) => each.earnedMicro - each.paidMicro)} />
      <Stat label="Reserved for open batches" value={say((each) => each.committedMicro)} />
      <Stat label="Projected total cost" value={say((each) => each.projectedMicro)} />
    </StatStrip>
  );
}
