import { scaleBand } from 'd3-scale';
import { useId } from 'react';
import { domainOf, labelSpace, linearAxis, seriesStyle, shorten, textWidth } from '@/lib/core/charts';
import { formatShort, type Interval } from '@/lib/core/format';
import { type Area, BottomAxis, Linked } from './axes';
import { ChartFrame, type ChartTable } from './chart-frame';
import { Hatches, hatchFill, Legend } from './legend';

export interface BarSeries {
  name: string;
  values: (number | null)[];
  intervals?: (Interval | null)[];
}

interface BarChartProps {
  title: string;
  note?: string;
  categories: string[];
  series: BarSeries[];
  axisTitle?: string;
  format?: (value: number) => string;
  /** Fixed ends of the axis: shares run from 0 to 1 whatever the data. */
  domain?: [number, number];
  /** What each category leads to. */
  hrefs?: (string | null)[];
  width?: number;
}

function tableOf({ categories, series, format = formatShort }: BarChartProps): ChartTable {
  const intervals = series.map((each) => each.intervals !== undefined);
  return {
    head: [
      '',
      ...series.flatMap((each, index) =>
        intervals[index] ? [each.name, `${each.name}, low`, `${each.name}, high`] : [each.name],
      ),
    ],
    rows: categories.map((category, row) => [
      { text: category },
      ...series.flatMap((each, index) => {
        const ends = each.intervals?.[row];
        const values = [each.values[row], ...(intervals[index] ? [ends?.[0], ends?.[1]] : [])];
        return values.map((value) => ({
          text: typeof value === 'number' ? format(value) : '–',
          value: value ?? null,
        }));
      }),
    ]),
  };
}

/** Bars lie, so that the names of attributes and parts can be read. */
export function BarChart(props: BarChartProps) {
  const { title, note, categories, series, axisTitle, format = formatShort, domain, width = 464 } = props;
  const { hrefs } = props;
  const id = useId();
  const thickness = series.length > 1 ? 11 : 14;
  const step = thickness * series.length + 8;
  const top = 4;
  const labels = labelSpace(categories, 180);
  const valueTexts = series.flatMap((each) =>
    each.values.map((value) => (value === null ? '' : format(value))),
  );
  const valueSpace = Math.max(0, ...valueTexts.map(textWidth)) + 8;
  const area: Area = { left: labels, right: width - valueSpace, top, bottom: top + step * categories.length };
  const reach = series.flatMap((each) => [
    ...each.values,
    ...(each.intervals ?? []).flatMap((ends) => ends ?? []),
  ]);
  const axis = linearAxis(domain ?? domainOf(reach, true), [area.left, area.right], {
    format,
    exact: domain !== undefined,
  });
  const rows = scaleBand(categories, [area.top, area.bottom]);
  const zero = axis.at(Math.max(axis.domain[0], Math.min(0, axis.domain[1])));

  return (
    <ChartFrame
      title={title}
      note={note}
      width={width}
      height={area.bottom + (axisTitle ? 36 : 20)}
      hasLinks={hrefs?.some((href) => href) ?? false}
      legend={<Legend names={series.map((each) => each.name)} kind="bar" />}
      table={tableOf(props)}
    >
      <Hatches id={id} count={series.length} />
      <BottomAxis axis={axis} area={area} title={axisTitle} lines />
      {categories.map((category, row) => {
        const start = (rows(category) ?? 0) + 4;
        return (
          <g key={category}>
            <Linked href={hrefs?.[row]} label={category}>
              <text
                x={area.left - 8}
                y={start + (step - 8) / 2}
                dy="0.34em"
                textAnchor="end"
                fill="var(--color-ink-2)"
              >
                {shorten(category, area.left - 8)}
                <title>{category}</title>
              </text>
              {series.map((each, index) => {
                const value = each.values[row];
                if (typeof value !== 'number') return null;
                const ends = each.intervals?.[row];
                const y = start + index * thickness;
                const middle = y + thickness / 2;
                const x = axis.at(value);
                const end = ends ? Math.max(x, axis.at(ends[1])) : Math.max(x, zero);
                return (
                  <g key={each.name}>
                    <rect
                      x={Math.min(x, zero)}
                      y={y + 0.5}
                      width={Math.abs(x - zero)}
                      height={thickness - 1}
                      fill={hatchFill(id, index)}
                      fillOpacity={index ? 1 : 0.85}
                      stroke={index ? seriesStyle(index).colour : undefined}
                      strokeWidth={index ? 0.75 : undefined}
                    />
                    {ends && (
                      <path
                        d={`M${axis.at(ends[0])} ${middle}H${axis.at(ends[1])}M${axis.at(ends[0])} ${middle - 3}v6M${axis.at(ends[1])} ${middle - 3}v6`}
                        stroke="var(--color-ink)"
                        fill="none"
                      />
                    )}
                    <text x={end + 5} y={middle} dy="0.34em" fill="var(--color-ink-2)">
                      {format(value)}
                    </text>
                  </g>
                );
              })}
            </Linked>
          </g>
        );
      })}
    </ChartFrame>
  );
}
