import { type Area, BottomAxis, LeftAxis } from '@/app/_ui/charts/axes';
import { ChartFrame } from '@/app/_ui/charts/chart-frame';
import { domainOf, linearAxis, shorten } from '@/lib/core/charts';
import { formatDateTime, formatNumber, formatPercent } from '@/lib/core/format';
import type { Explained } from '@/lib/core/quality/next-step';

interface Props {
  title: string;
  test: Explained;
  /** The next step, as a sentence. */
  next: string;
  moments: { id: string; at: Date; verdict: string }[];
}

const WIDTH = 464;
const HEIGHT = 240;
const area: Area = { left: 56, right: WIDTH - 72, top: 40, bottom: HEIGHT - 38 };
/** Lower values are drawn at the edge, because differences between good workers do not matter here. */
const FLOOR = -2;

const power = (value: number) => (value >= 0 ? formatNumber(10 ** value) : `1/${formatNumber(10 ** -value)}`);

const LABEL_PX = 60;
const ROW_PX = 12;
/** Axis labels show minutes. */
const MIN_SPAN_MS = 180_000;

function withMinSpan([from, to]: readonly [number, number]): [number, number] {
  const pad = Math.max(0, MIN_SPAN_MS - (to - from)) / 2;
  return [from - pad, to + pad];
}

/** Places labels in two rows so that they do not overlap; a label without room is left out. */
function labelRows(labels: readonly { id: string; x: number }[]): Map<string, number> {
  const ends = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const rows = new Map<string, number>();
  for (const { id, x } of [...labels].sort((a, b) => a.x - b.x)) {
    const row = ends.findIndex((end) => x - LABEL_PX / 2 >= end);
    if (row < 0) continue;
    ends[row] = x + LABEL_PX / 2;
    rows.set(id, row);
  }
  return rows;
}

/** The evidence of one test on a logarithmic scale, with its limit and the decisions so far. */
export function EvidenceChart({ title, test, next, moments }: Props) {
  const { points, limit, good, mean, isDifference } = test;
  const shown = (outcome: number | null) =>
    isDifference && outcome !== null ? formatNumber(2 * outcome - 1, 2) : formatPercent(outcome);
  const logs = points.map(({ value }) => Math.max(FLOOR, Math.log10(value)));
  const top = Math.ceil(Math.max(Math.log10(limit) + 0.3, ...logs));
  const times = [...points, ...moments].map(({ at }) => at.getTime());
  const x = linearAxis(withMinSpan(domainOf(times)), [area.left, area.right], {
    count: 3,
    format: (value) => formatDateTime(value).slice(5),
    exact: true,
  });
  const y = linearAxis([FLOOR, top], [area.bottom, area.top], {
    count: top - FLOOR,
    format: power,
    exact: true,
  });
  const rows = labelRows(moments.map(({ id, at }) => ({ id, x: x.at(at.getTime()) })));
  const limitY = y.at(Math.log10(limit));
  const line = points
    .map(({ at }, i) => `${i ? 'L' : 'M'}${x.at(at.getTime())} ${y.at(logs[i] ?? 0)}`)
    .join('');
  const dots = points
    .map(
      ({ at }, i) =>
        `M${x.at(at.getTime()) - 2.5} ${y.at(logs[i] ?? 0)}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`,
    )
    .join('');
  return (
    <ChartFrame
      title={title}
      note={`Mean ${shown(mean)}; a good worker has at least ${shown(good)}. ${next}`}
      width={WIDTH}
      height={HEIGHT}
      table={{
        head: ['When, UTC', 'Evidence', 'Limit'],
        rows: points.map(({ at, value }) => [
          { text: formatDateTime(at), value: at.toISOString() },
          { text: formatNumber(value, 2), value },
          { text: formatNumber(limit), value: limit },
        ]),
      }}
    >
      <LeftAxis axis={y} area={area} title="Evidence" />
      <BottomAxis axis={x} area={area} />
      <line
        x1={area.left}
        x2={area.right}
        y1={limitY}
        y2={limitY}
        stroke="var(--color-bad)"
        strokeDasharray="3 2"
      />
      <text x={area.right + 6} y={limitY} dy="0.32em" fill="var(--color-ink-2)">
        {`limit ${formatNumber(limit)}`}
      </text>
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
          <title>{`${verdict}, ${formatDateTime(at)} UTC`}</title>
          {rows.get(id) !== undefined && (
            <text
              x={x.at(at.getTime())}
              y={area.top - 12 - ROW_PX * (rows.get(id) ?? 0)}
              textAnchor="middle"
              fill="var(--color-ink)"
            >
              {shorten(verdict, LABEL_PX)}
            </text>
          )}
        </g>
      ))}
      <path d={line} fill="none" stroke="var(--color-series-1)" strokeWidth={1.75} strokeLinejoin="round" />
      <path d={dots} fill="var(--color-series-1)" />
    </ChartFrame>
  );
}
