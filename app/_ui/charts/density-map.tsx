import { formatPercent } from '@/lib/core/format';
import { ChartFrame } from './chart-frame';

interface DensityMapProps {
  title: string;
  note?: string;
  /** Cells along each side; an even number. */
  grid: number;
  /** Shares from 0 to 1, row by row from the top left. */
  cells: readonly number[];
  size?: number;
}

/** Number of distinguishable tints. Each is drawn as one path. */
const STEPS = 12;

/** Shows where objects are in their pictures, scaled to a common square. The strongest tint is the highest share. */
export function DensityMap({ title, note, grid, cells, size = 168 }: DensityMapProps) {
  const highest = Math.max(0, ...cells);
  const side = size / grid;
  const paths = Array.from({ length: STEPS }, () => '');
  cells.forEach((share, at) => {
    if (share === 0) return;
    const step = Math.min(STEPS - 1, Math.floor((share / highest) * STEPS));
    // Overlaps the next cell slightly, so that no seams are visible.
    paths[step] +=
      `M${(at % grid) * side} ${Math.floor(at / grid) * side}h${side + 0.2}v${side + 0.2}h-${side + 0.2}z`;
  });
  return (
    <ChartFrame
      title={title}
      note={note}
      width={size}
      height={size + 16}
      table={tableOf(grid, cells, highest)}
    >
      <rect width={size} height={size} fill="var(--color-sunken)" />
      {paths.map((path, step) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place.
          key={step}
          d={path}
          fill="var(--color-series-1)"
          fillOpacity={(step + 0.5) / STEPS}
        />
      ))}
      <rect width={size} height={size} fill="none" stroke="var(--color-line)" />
      <text y={size + 12} fill="var(--color-ink-3)">
        darkest: {formatPercent(highest, 0)}
      </text>
    </ChartFrame>
  );
}

/** Averages blocks of four cells, because a table with every cell would be too large to read. */
function tableOf(grid: number, cells: readonly number[], highest: number) {
  const half = Array.from({ length: grid / 2 }, (_, at) => at);
  const mean = (row: number, column: number) => {
    const first = 2 * row * grid + 2 * column;
    return (
      [first, first + 1, first + grid, first + grid + 1].reduce((sum, at) => sum + (cells[at] ?? 0), 0) / 4
    );
  };
  return {
    head: ['Row', ...half.map((column) => String(column + 1))],
    rows:
      highest === 0
        ? []
        : half.map((row) => [
            { text: String(row + 1), value: row + 1 },
            ...half.map((column) => ({
              text: formatPercent(mean(row, column), 0),
              value: Number(mean(row, column).toFixed(4)),
            })),
          ]),
  };
}
