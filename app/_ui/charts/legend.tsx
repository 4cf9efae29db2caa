import { symbol } from 'd3-shape';
import { type ReactNode, useId } from 'react';
import { seriesStyle } from '@/lib/core/charts';
import { Hatches, hatchFill } from './hatches';

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
