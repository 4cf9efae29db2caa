import { area as areaPath, line as linePath } from 'd3-shape';
import { domainOf, labelSpace, linearAxis, seriesStyle, shorten } from '@/lib/core/charts';
import { formatShort } from '@/lib/core/format';
import { type Area, BottomAxis, LeftAxis, Linked } from './axes';
import { ChartFrame, type ChartTable } from './chart-frame';
import { Legend } from './legend';

export interface LinePoint {
  x: number;
  y: number | null;
  /** Ends of the interval at this point. */
  low?: number;
  high?: number;
  /** What is behind the point. */
  href?: string;
}

export interface LineSeries {
  name: string;
  points: LinePoint[];
}

interface LineChartProps {
  title: string;
  note?: string;
  x: { title: string; format?: (value: number) => string; domain?: [number, number] };
  y: { title: string; format?: (value: number) => string; domain?: [number, number] };
  series: LineSeries[];
  width?: number;
  height?: number;
}

function tableOf({ x, y, series }: LineChartProps): ChartTable {
  const showX = x.format ?? formatShort;
  const showY = y.format ?? formatShort;
  const banded = series.some((each) => each.points.some((point) => point.low !== undefined));
  const cell = (value: number | null | undefined) => ({
    text: typeof value === 'number' ? showY(value) : '–',
    value: value ?? null,
  });
  return {
    head: ['Series', x.title, y.title, ...(banded ? ['Low', 'High'] : [])],
    rows: series.flatMap((each) =>
      each.points.map((point) => [
        { text: each.name },
        { text: showX(point.x), value: point.x },
        cell(point.y),
        ...(banded ? [cell(point.low), cell(point.high)] : []),
      ]),
    ),
  };
}

/** Ends of lines that lie close are moved apart, so that their names can be read. */
function spread(wanted: { index: number; at: number }[], gap: number) {
  const sorted = [...wanted].sort((a, b) => a.at - b.at);
  let last = Number.NEGATIVE_INFINITY;
  return new Map(
    sorted.map(({ index, at }) => {
      last = Math.max(at, last + gap);
      return [index, last];
    }),
  );
}

export function LineChart(props: LineChartProps) {
  const { title, note, x, y, series, width = 464, height = 260 } = props;
  const named = series.length > 1;
  const names = named
    ? labelSpace(
        series.map((each) => each.name),
        110,
      )
    : 12;
  const area: Area = { left: 44, right: width - names - 4, top: 26, bottom: height - 38 };
  const points = series.flatMap((each) => each.points);
  const across = linearAxis(x.domain ?? domainOf(points.map((point) => point.x)), [area.left, area.right], {
    count: 6,
    format: x.format,
    exact: true,
  });
  const values = points.flatMap((point) => [point.y, point.low, point.high]);
  const up = linearAxis(y.domain ?? domainOf(values), [area.bottom, area.top], {
    format: y.format,
    exact: y.domain !== undefined,
  });
  const line = linePath<LinePoint>()
    .defined((point) => point.y !== null)
    .x((point) => across.at(point.x))
    .y((point) => up.at(point.y ?? 0));
  const band = areaPath<LinePoint>()
    .defined((point) => point.low !== undefined && point.high !== undefined)
    .x((point) => across.at(point.x))
    .y0((point) => up.at(point.low ?? 0))
    .y1((point) => up.at(point.high ?? 0));
  const ends = series.flatMap((each, index) => {
    const last = each.points.findLast((point) => point.y !== null);
    return last?.y === null || last === undefined ? [] : [{ index, at: up.at(last.y) }];
  });
  const labels = spread(ends, 13);

  return (
    <ChartFrame
      title={title}
      note={note}
      width={width}
      height={height}
      hasLinks={points.some(({ href }) => href)}
      legend={<Legend names={series.map((each) => each.name)} kind="line" />}
      table={tableOf(props)}
    >
      <LeftAxis axis={up} area={area} title={y.title} />
      <BottomAxis axis={across} area={area} title={x.title} />
      {series.map((each, index) => {
        const { colour, dash } = seriesStyle(index);
        const known = each.points.filter((point) => point.y !== null);
        const lone = known.length === 1 ? known[0] : undefined;
        return (
          <g key={each.name}>
            <path d={band(each.points) ?? ''} fill={colour} fillOpacity={0.16} />
            <path
              d={line(each.points) ?? ''}
              fill="none"
              stroke={colour}
              strokeWidth={1.75}
              strokeDasharray={dash}
              strokeLinejoin="round"
            />
            {known.map(
              (point) =>
                point.href && (
                  <Linked
                    key={point.x}
                    href={point.href}
                    label={`${each.name}, ${x.title} ${(x.format ?? formatShort)(point.x)}: ${(y.format ?? formatShort)(point.y ?? 0)}`}
                  >
                    <circle cx={across.at(point.x)} cy={up.at(point.y ?? 0)} r={3.5} fill={colour}>
                      <title>{each.name}</title>
                    </circle>
                  </Linked>
                ),
            )}
            {/* A line of one point has no length: it would not be seen. */}
            {lone && <circle cx={across.at(lone.x)} cy={up.at(lone.y ?? 0)} r={3} fill={colour} />}
            {named && labels.has(index) && (
              <text x={area.right + 6} y={labels.get(index)} dy="0.34em" fill="var(--color-ink-2)">
                {shorten(each.name, names)}
              </text>
            )}
          </g>
        );
      })}
    </ChartFrame>
  );
}
