import { type Bin, linearAxis } from '@/lib/core/charts';
import { formatNumber, formatShort } from '@/lib/core/format';
import { type Area, BottomAxis, LeftAxis, Linked } from './axes';
import { ChartFrame } from './chart-frame';

interface HistogramProps {
  title: string;
  note?: string;
  /** From `binValues`, or counted by the database. */
  bins: Bin[];
  axisTitle: string;
  format?: (value: number) => string;
  /** A value that divides the picture: a bar to pass, a mean. */
  mark?: { at: number; label: string };
  /** What each bin leads to. */
  hrefs?: (string | null)[];
  width?: number;
  height?: number;
}

export function Histogram(props: HistogramProps) {
  const {
    title,
    note,
    bins,
    axisTitle,
    format = formatShort,
    mark,
    hrefs,
    width = 464,
    height = 220,
  } = props;
  const area: Area = { left: 40, right: width - 12, top: 26, bottom: height - 38 };
  const ends: [number, number] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1];
  const x = linearAxis(ends, [area.left, area.right], { count: 8, format, exact: true });
  const top = Math.max(1, ...bins.map((bin) => bin.count));
  // Counts are whole: no tick between one and two.
  const y = linearAxis([0, top], [area.bottom, area.top], { count: Math.min(4, top) });

  return (
    <ChartFrame
      title={title}
      note={note}
      width={width}
      height={height}
      hasLinks={hrefs?.some((href) => href) ?? false}
      table={{
        head: ['From', 'To', 'Count'],
        rows: bins.map((bin) => [
          { text: format(bin.from), value: bin.from },
          { text: format(bin.to), value: bin.to },
          { text: formatNumber(bin.count), value: bin.count },
        ]),
      }}
    >
      <LeftAxis axis={y} area={area} title="Count" />
      {bins.map((bin, index) => {
        const left = x.at(bin.from);
        const text = `${format(bin.from)} to ${format(bin.to)}: ${formatNumber(bin.count)}`;
        return (
          <Linked key={bin.from} href={bin.count > 0 ? hrefs?.[index] : null} label={text}>
            <rect
              x={left + 0.5}
              y={y.at(bin.count)}
              width={Math.max(0.5, x.at(bin.to) - left - 1)}
              height={area.bottom - y.at(bin.count)}
              fill="var(--color-series-1)"
              fillOpacity={0.85}
            >
              <title>{text}</title>
            </rect>
          </Linked>
        );
      })}
      <BottomAxis axis={x} area={area} title={axisTitle} />
      {mark && (
        <g>
          <line
            x1={x.at(mark.at)}
            x2={x.at(mark.at)}
            y1={area.top - 6}
            y2={area.bottom}
            stroke="var(--color-ink)"
            strokeDasharray="3 2"
          />
          <text x={x.at(mark.at)} y={area.top - 12} textAnchor="middle" fill="var(--color-ink)">
            {mark.label}
          </text>
        </g>
      )}
    </ChartFrame>
  );
}
