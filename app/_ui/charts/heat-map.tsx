import { domainOf, labelSpace, shorten } from '@/lib/core/charts';
import { formatNumber, formatShort } from '@/lib/core/format';
import { Linked } from './axes';
import { ChartFrame } from './chart-frame';

interface HeatMapProps {
  title: string;
  note?: string;
  rows: string[];
  columns: string[];
  /** values[row][column]; null where there is nothing to say. */
  values: (number | null)[][];
  rowTitle: string;
  columnTitle: string;
  format?: (value: number) => string;
  domain?: [number, number];
  /** Below zero has a colour of its own, and zero none: for correlations and differences. */
  diverging?: boolean;
  cell?: number;
  /** How many stand behind each value, said beside it and in the table. */
  counts?: (number | null)[][];
  /** Most pixels of a name; longer ones are shortened. */
  labels?: { rows: number; columns: number };
  /** What a cell leads to. */
  hrefs?: (string | null)[][];
}

/** Strongest tint at which ink keeps a contrast of 4.5 in both themes (test/app/ui/contrast.test.ts). */
export const strongestTint = 0.55;

/** Every cell states its number: the tint only helps the eye to find it. */
export function HeatMap(props: HeatMapProps) {
  const {
    title,
    note,
    rows,
    columns,
    values,
    rowTitle,
    columnTitle,
    format = formatShort,
    diverging = false,
    counts,
    cell = counts ? 76 : 38,
    labels = { rows: 140, columns: 110 },
    hrefs,
  } = props;
  const [low, high] = props.domain ?? domainOf(values.flat());
  const left = labelSpace(rows, labels.rows);
  const top = labelSpace(columns, labels.columns) * 0.72 + 18;
  const width = left + columns.length * cell + 40;
  const height = top + rows.length * 24 + 2;
  const tint = (value: number) =>
    diverging
      ? strongestTint * Math.min(1, Math.abs(value) / Math.max(Math.abs(low), Math.abs(high)))
      : (strongestTint * (Math.min(high, Math.max(low, value)) - low)) / (high - low);
  const textOf = (value: number | null) => (value === null ? '–' : format(value));
  const colour = (value: number) =>
    diverging && value < 0 ? 'var(--color-series-2)' : 'var(--color-series-1)';

  return (
    <ChartFrame
      title={title}
      note={note}
      width={width}
      height={height}
      hasLinks={hrefs?.flat().some((href) => href) ?? false}
      table={{
        head: [
          `${rowTitle} \\ ${columnTitle}`,
          ...columns.flatMap((column) => (counts ? [column, `n, ${column}`] : [column])),
        ],
        rows: rows.map((row, r) => [
          { text: row },
          ...columns.flatMap((_, c) => {
            const value = values[r]?.[c] ?? null;
            const n = counts?.[r]?.[c] ?? null;
            const count = { text: n === null ? '–' : formatNumber(n), value: n };
            return [{ text: textOf(value), value }, ...(counts ? [count] : [])];
          }),
        ]),
      }}
    >
      {columns.map((column, c) => (
        <text
          key={column}
          transform={`translate(${left + c * cell + cell / 2} ${top - 6}) rotate(-45)`}
          fill="var(--color-ink-2)"
        >
          {shorten(column, labels.columns)}
          <title>{column}</title>
        </text>
      ))}
      {rows.map((row, r) => (
        <g key={row} transform={`translate(0 ${top + r * 24})`}>
          <text x={left - 8} y={12} dy="0.34em" textAnchor="end" fill="var(--color-ink-2)">
            {shorten(row, left - 8)}
            <title>{row}</title>
          </text>
          {columns.map((column, c) => {
            const value = values[r]?.[c] ?? null;
            const n = value === null ? null : (counts?.[r]?.[c] ?? null);
            const name = `${row}, ${column}: ${textOf(value)}${n === null ? '' : ` of n = ${n}`}`;
            return (
              <g key={column} transform={`translate(${left + c * cell} 0)`}>
                <Linked href={value === null ? null : hrefs?.[r]?.[c]} label={name}>
                  <rect
                    width={cell - 1}
                    height={23}
                    fill={value === null ? 'var(--color-sunken)' : colour(value)}
                    fillOpacity={value === null ? 1 : tint(value)}
                    stroke="var(--color-line)"
                    strokeWidth={0.5}
                  />
                  <text
                    x={(cell - 1) / 2}
                    y={12}
                    dy="0.34em"
                    textAnchor="middle"
                    fontSize={10}
                    fill={value === null ? 'var(--color-ink-3)' : 'var(--color-ink)'}
                  >
                    {textOf(value)}
                    {n !== null && <tspan fill="var(--color-ink-2)">{` n ${formatNumber(n)}`}</tspan>}
                  </text>
                  <title>{`${row}, ${column}`}</title>
                </Linked>
              </g>
            );
          })}
        </g>
      ))}
    </ChartFrame>
  );
}
