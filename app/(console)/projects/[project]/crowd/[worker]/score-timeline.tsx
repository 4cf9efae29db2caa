import { type Area, BottomAxis, LeftAxis } from '@/app/_ui/charts/axes';
import { ChartFrame } from '@/app/_ui/charts/chart-frame';
import { domainOf, linearAxis, shorten } from '@/lib/core/charts';
import { formatDateTime, formatNumber } from '@/lib/core/format';

export interface TimelineCheck {
  id: string;
  at: Date;
  /** Score that is compared with the bar, 0 to 1. */
  level: number;
  passed: boolean;
  isExam: boolean;
}

export interface TimelineMoment {
  id: string;
  at: Date;
  verdict: string;
}

interface Props {
  title: string;
  checks: TimelineCheck[];
  moments: TimelineMoment[];
  /** Undefined if the checks are not compared with a single number. */
  bar?: number;
}

const WIDTH = 464;
const HEIGHT = 240;
const area: Area = { left: 40, right: WIDTH - 56, top: 40, bottom: HEIGHT - 38 };
/** Number of checks in the running mean. */
const WINDOW = 10;

function runningMean(checks: TimelineCheck[]): { at: number; value: number }[] {
  return checks.map((check, index) => {
    const recent = checks.slice(Math.max(0, index + 1 - WINDOW), index + 1);
    return {
      at: check.at.getTime(),
      value: recent.reduce((sum, each) => sum + each.level, 0) / recent.length,
    };
  });
}

const mark = { passed: 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0', failed: 'M0 -4.5 4.5 0 0 4.5 -4.5 0z' };

/** The checks of a worker in a stage over time, their running mean, and the decisions. */
export function ScoreTimeline({ title, checks, moments, bar }: Props) {
  const times = [...checks, ...moments].map((each) => each.at.getTime());
  const x = linearAxis(domainOf(times), [area.left, area.right], {
    count: 3,
    format: (value) => formatDateTime(value).slice(5),
    exact: true,
  });
  const y = linearAxis([0, 1], [area.bottom, area.top], { count: 4, exact: true });
  const mean = runningMean(checks.filter((check) => !check.isExam));
  const line = mean.map(({ at, value }, index) => `${index ? 'L' : 'M'}${x.at(at)} ${y.at(value)}`).join('');
  return (
    <ChartFrame
      title={title}
      note={`Circle: check passed. Diamond: failed. Hollow: exam. Line: mean of the last ${WINDOW} checks.`}
      width={WIDTH}
      height={HEIGHT}
      table={{
        head: ['When, UTC', 'Score', 'Outcome', 'Where'],
        rows: checks.map((check) => [
          { text: formatDateTime(check.at), value: check.at.toISOString() },
          { text: formatNumber(check.level, 2), value: check.level },
          { text: check.passed ? 'passed' : 'failed' },
          { text: check.isExam ? 'exam' : 'work' },
        ]),
      }}
    >
      <LeftAxis axis={y} area={area} title="Score" />
      <BottomAxis axis={x} area={area} />
      {bar !== undefined && (
        <g>
          <line
            x1={area.left}
            x2={area.right}
            y1={y.at(bar)}
            y2={y.at(bar)}
            stroke="var(--color-ink-2)"
            strokeDasharray="3 2"
          />
          <text x={area.right + 6} y={y.at(bar)} dy="0.32em" fill="var(--color-ink-2)">
            {`bar ${formatNumber(bar, 2)}`}
          </text>
        </g>
      )}
      {moments.map(({ id, at, verdict }) => (
        <g key={id}>
          <line
            x1={x.at(at.getTime())}
            x2={x.at(at.getTime())}
            y1={area.top - 6}
            y2={area.bottom}
            stroke="var(--color-warn)"
            strokeWidth={1.5}
          />
          <text x={x.at(at.getTime())} y={area.top - 12} textAnchor="middle" fill="var(--color-ink)">
            {shorten(verdict, 70)}
            <title>{`${verdict}, ${formatDateTime(at)} UTC`}</title>
          </text>
        </g>
      ))}
      <path d={line} fill="none" stroke="var(--color-series-1)" strokeWidth={1.75} strokeLinejoin="round" />
      {checks.map((check) => (
        <path
          key={check.id}
          transform={`translate(${x.at(check.at.getTime())} ${y.at(check.level)})`}
          d={check.passed ? mark.passed : mark.failed}
          fill={
            check.isExam
              ? 'var(--color-surface)'
              : check.passed
                ? 'var(--color-series-1)'
                : 'var(--color-bad)'
          }
          stroke={check.passed ? 'var(--color-series-1)' : 'var(--color-bad)'}
        >
          <title>{`${formatNumber(check.level, 2)}, ${formatDateTime(check.at)} UTC`}</title>
        </path>
      ))}
    </ChartFrame>
  );
}
