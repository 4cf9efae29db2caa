import { symbol } from 'd3-shape';
import { type ReactNode, useId } from 'react';
import { type Hatch, seriesStyle } from '@/lib/core/charts';

type Mark = 'bar' | 'line' | 'point';

function markOf(kind: Mark, index: number, id: string): ReactNode {
  const { colour, dash, symbol: shape } = seriesStyle(index);
  if (kind === 'bar')
    return <rect x={3} y={1} width={14} height={10} fill={hatchFill(id, index)} stroke={colour} />;
  if (kind === 'point')
    return <path transform="translate(10 6)" d={symbol(shape, 40)() ?? ''} fill={colour} />;
  return <line x1={0} x2={20} y1={6} y2={6} stroke={colour} strokeWidth={2} strokeDasharray={dash} />;
}

/** Nothing for one series: the title names it. */
export function Legend({ names, kind }: { names: string[]; kind: Mark }) {
  const id = useId();
  if (names.length < 2) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
      {names.map((name, index) => (
        <li key={name} className="flex items-center gap-1.5">
          <svg aria-hidden="true" width={20} height={12}>
            {index === 0 && kind === 'bar' && <Hatches id={id} count={names.length} />}
            {markOf(kind, index, id)}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

const strokes: Record<Hatch, string> = {
  solid: '',
  rising: 'M-1 1l2-2M0 6l6-6M5 7l2-2',
  dots: 'M1.5 1.5h.01M4.5 4.5h.01',
  falling: 'M-1 5l2 2M0 0l6 6M5-1l2 2',
  level: 'M0 1.5h6M0 4.5h6',
  grid: 'M0 1.5h6M1.5 0v6',
};

export const hatchFill = (id: string, index: number) =>
  index === 0 ? seriesStyle(0).colour : `url(#${id}-${index})`;

/** Definitions of the fills of a chart's series; the first series is plain. */
export function Hatches({ id, count }: { id: string; count: number }) {
  return (
    <defs>
      {Array.from({ length: Math.max(0, count - 1) }, (_, offset) => {
        const { colour, hatch } = seriesStyle(offset + 1);
        return (
          <pattern key={hatch} id={`${id}-${offset + 1}`} width={6} height={6} patternUnits="userSpaceOnUse">
            <rect width={6} height={6} fill={colour} fillOpacity={0.3} />
            <path
              d={strokes[hatch]}
              fill="none"
              stroke={colour}
              strokeWidth={hatch === 'dots' ? 2.4 : 1.4}
              strokeLinecap={hatch === 'dots' ? 'round' : 'butt'}
            />
          </pattern>
        );
      })}
    </defs>
  );
}
