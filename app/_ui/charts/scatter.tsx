import { symbol } from 'd3-shape';
import { domainOf, linearAxis, seriesStyle } from '@/lib/core/charts';
import { formatNumber, formatShort } from '@/lib/core/format';
import { type Area, BottomAxis, LeftAxis } from './axes';
import { ChartFrame } from './chart-frame';
import { Legend } from './legend';

export interface ScatterPoint {
  x: number;
  y: number;
  label?: string;
  /** The picture or person behind the point. */
  href?: string;
}

interface Dimension {
  title: string;
  format?: (value: number) => string;
  domain?: [number, number];
}

interface ScatterProps {
  title: string;
  note?: string;
  x: Dimension;
  y: Dimension;
  series: { name: string; points: ScatterPoint[] }[];
  /** A bar to reach in either direction: dashed lines, named at their ends. */
  bar?: { x: number; y: number };
  /** Drawn behind the points: where both are equal, or where a number made of both is. */
  guides?: { name: string; points: readonly (readonly [x: number, y: number])[] }[];
  width?: number;
  height?: number;
}

function Point({
  point,
  path,
  colour,
  text,
}: {
  point: { x: number; y: number; href?: string };
  path: string;
  colour: string;
  text: string;
}) {
  const mark = (
    <path
      transform={`translate(${point.x} ${point.y})`}
      d={path}
      fill={colour}
      fillOpacity={0.55}
      stroke={colour}
    >
      <title>{text}</title>
    </path>
  );
  return point.href ? (
    <a href={point.href} aria-label={text}>
      {mark}
    </a>
  ) : (
    mark
  );
}

export function Scatter({
  title,
  note,
  x,
  y,
  series,
  bar,
  guides = [],
  width = 464,
  height = 320,
}: ScatterProps) {
  const area: Area = { left: 44, right: width - 12, top: 26, bottom: height - 38 };
  const points = series.flatMap((each) => each.points);
  const across = linearAxis(x.domain ?? domainOf(points.map((each) => each.x)), [area.left, area.right], {
    count: 6,
    format: x.format,
    exact: x.domain !== undefined,
  });
  const up = linearAxis(y.domain ?? domainOf(points.map((each) => each.y)), [area.bottom, area.top], {
    format: y.format,
    exact: y.domain !== undefined,
  });
  const showX = x.format ?? formatShort;
  const showY = y.format ?? formatShort;

  return (
    <ChartFrame
      title={title}
      note={note}
      width={width}
      height={height}
      hasLinks={points.some(({ href }) => href)}
      legend={<Legend names={series.map((each) => each.name)} kind="point" />}
      table={{
        head: ['Series', 'Point', x.title, y.title],
        rows: series.flatMap((each) =>
          each.points.map((point) => [
            { text: each.name },
            { text: point.label ?? '' },
            { text: showX(point.x), value: point.x },
            { text: showY(point.y), value: point.y },
          ]),
        ),
      }}
    >
      <LeftAxis axis={up} area={area} title={y.title} />
      <BottomAxis axis={across} area={area} title={x.title} lines />
      {guides.map(({ name, points: corners }) => {
        const places = corners.map(([cx, cy]) => `${across.at(cx)} ${up.at(cy)}`);
        const [left, top] = corners[Math.floor(corners.length / 2)] ?? [0, 0];
        return (
          <g key={name}>
            <path
              d={`M${places.join('L')}`}
              fill="none"
              stroke="var(--color-line-strong)"
              strokeDasharray="2 3"
            />
            <text
              x={across.at(left) + 4}
              y={up.at(top) - 4}
              fontSize={9}
              fill="var(--color-ink-3)"
              stroke="var(--color-surface)"
              strokeWidth={3}
              paintOrder="stroke"
            >
              {name}
            </text>
          </g>
        );
      })}
      {bar && (
        <g stroke="var(--color-ink-2)" strokeDasharray="3 2">
          <line x1={across.at(bar.x)} x2={across.at(bar.x)} y1={area.top} y2={area.bottom} />
          <line x1={area.left} x2={area.right} y1={up.at(bar.y)} y2={up.at(bar.y)} />
        </g>
      )}
      {bar && (
        <text x={across.at(bar.x)} y={area.top - 8} textAnchor="middle" fill="var(--color-ink-2)">
          {`bar ${formatNumber(bar.x, 2)}, ${formatNumber(bar.y, 2)}`}
        </text>
      )}
      {series.map((each, index) => {
        const style = seriesStyle(index);
        const path = symbol(style.symbol, 34)() ?? '';
        return each.points.map((point, order) => (
          <Point
            // biome-ignore lint/suspicious/noArrayIndexKey: points may coincide; their order is all they have.
            key={`${each.name}-${order}`}
            point={{ x: across.at(point.x), y: up.at(point.y), href: point.href }}
            path={path}
            colour={style.colour}
            text={`${point.label ?? each.name}: ${showX(point.x)}, ${showY(point.y)}`}
          />
        ));
      })}
    </ChartFrame>
  );
}
