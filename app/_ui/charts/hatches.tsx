import { type Hatch, seriesStyle } from '@/lib/core/charts';

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
