import { domainOf } from '@/lib/core/charts';

const [WIDTH, HEIGHT] = [72, 18];

/** How a number went over the evaluations before; the last is the one that is looked at. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  if (values.length < 2) return null;
  const [low, high] = domainOf([...values]);
  const at = (value: number, i: number): [number, number] => [
    2 + ((WIDTH - 4) * i) / (values.length - 1),
    HEIGHT - 2 - ((HEIGHT - 4) * (value - low)) / (high - low || 1),
  ];
  const places = values.map(at);
  const [x, y] = places.at(-1) ?? [0, 0];
  return (
    <svg
      role="img"
      aria-label={label}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="overflow-visible"
    >
      <title>{label}</title>
      <path
        d={`M${places.map((place) => place.join(' ')).join('L')}`}
        fill="none"
        stroke="var(--color-ink-3)"
      />
      <circle cx={x} cy={y} r={2.5} fill="var(--color-accent)" />
    </svg>
  );
}
