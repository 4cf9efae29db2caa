import type { ReactNode } from 'react';
import type { Axis } from '@/lib/core/charts';

const text = { fill: 'var(--color-ink-3)' };
const grid = { stroke: 'var(--color-line)', shapeRendering: 'crispEdges' as const };

interface AxisProps {
  axis: Axis;
  /** The plot area: left, right, top, bottom in pixels. */
  area: Area;
  title?: string;
}

export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Labels under the plot; `lines` draws them upwards through it. */
export function BottomAxis({ axis, area, title, lines }: AxisProps & { lines?: boolean }) {
  return (
    <g>
      {axis.ticks.map((tick) => (
        <g key={tick.value}>
          <line
            x1={tick.at}
            x2={tick.at}
            y1={lines ? area.top : area.bottom}
            y2={area.bottom + 4}
            {...grid}
          />
          <text x={tick.at} y={area.bottom + 16} textAnchor="middle" {...text}>
            {tick.label}
          </text>
        </g>
      ))}
      <line
        x1={area.left}
        x2={area.right}
        y1={area.bottom}
        y2={area.bottom}
        stroke="var(--color-line-strong)"
        shapeRendering="crispEdges"
      />
      {title && (
        <text
          x={(area.left + area.right) / 2}
          y={area.bottom + 32}
          textAnchor="middle"
          fill="var(--color-ink-2)"
        >
          {title}
        </text>
      )}
    </g>
  );
}

/** Labels left of the plot and lines across it; the title stands above, where it needs no turned head. */
export function LeftAxis({ axis, area, title }: AxisProps) {
  return (
    <g>
      {axis.ticks.map((tick) => (
        <g key={tick.value}>
          <line x1={area.left} x2={area.right} y1={tick.at} y2={tick.at} {...grid} />
          <text x={area.left - 6} y={tick.at} dy="0.32em" textAnchor="end" {...text}>
            {tick.label}
          </text>
        </g>
      ))}
      {title && (
        <text x={0} y={area.top - 10} fill="var(--color-ink-2)">
          {title}
        </text>
      )}
    </g>
  );
}

/** A mark of a drawing that leads to what it was made of; without an address only the mark. */
export const Linked = ({
  href,
  label,
  children,
}: {
  href: string | null | undefined;
  label: string;
  children: ReactNode;
}) =>
  href ? (
    <a href={href} aria-label={label} className="hover:opacity-70">
      {children}
    </a>
  ) : (
    children
  );
