import { difference, invert } from './algebra';
import { columnSpans, type Mask, MaskError, RunBuilder } from './mask';
import { crop, pad } from './transform';

/** How many rows above and below a pixel belong to its neighbourhood, dx columns away; negative for none. */
type Reach = (dx: number) => number;

/** Adds every pixel whose centre lies within `radius` pixels of a foreground pixel's centre. */
export function dilate(mask: Mask, radius: number): Mask {
  checkRadius(radius);
  return spread(mask, Math.floor(radius), disc(radius));
}

/** Keeps the pixels with no background within `radius`; beyond the canvas everything is background. */
export function erode(mask: Mask, radius: number): Mask {
  checkRadius(radius);
  return shrink(mask, Math.floor(radius), disc(radius));
}

/** Erosion by the square of side 2 · steps + 1: what repeating a 3×3 erosion `steps` times gives. */
export function erodeSquare(mask: Mask, steps: number): Mask {
  return shrink(mask, steps, () => steps);
}

/** The foreground pixels with a background pixel, or the canvas border, on one of their four sides. */
export function innerBoundary(mask: Mask): Mask {
  return difference(mask, erode(mask, 1));
}

function disc(radius: number): Reach {
  return (dx) => Math.floor(Math.sqrt(radius * radius - dx * dx));
}

function shrink(mask: Mask, columns: number, reach: Reach): Mask {
  if (columns === 0) return mask;
  const padded = pad(mask, { top: columns, right: columns, bottom: columns, left: columns });
  const grown = spread(invert(padded), columns, reach);
  return crop(invert(grown), [columns, columns, mask.width, mask.height]);
}

function spread(mask: Mask, columns: number, reach: Reach): Mask {
  if (columns === 0) return mask;
  const { height, width } = mask;
  const { starts, tops, bottoms } = columnSpans(mask);
  const reaches = Int32Array.from({ length: 2 * columns + 1 }, (_, i) => reach(i - columns));
  // How many spans begin minus how many end at each row of the column being made.
  const balance = new Int32Array(height + 1);
  const builder = new RunBuilder();
  for (let x = 0; x < width; x++) {
    let lowest = height;
    let highest = -1;
    for (let source = Math.max(0, x - columns); source <= Math.min(width - 1, x + columns); source++) {
      const extra = reaches[source - x + columns] as number;
      for (let i = starts[source] as number; i < (starts[source + 1] as number); i++) {
        const from = Math.max(0, (tops[i] as number) - extra);
        const to = Math.min(height, (bottoms[i] as number) + extra);
        balance[from] = (balance[from] as number) + 1;
        balance[to] = (balance[to] as number) - 1;
        lowest = Math.min(lowest, from);
        highest = Math.max(highest, to);
      }
    }
    emitCovered(balance, lowest, highest, x * height, builder);
  }
  return builder.build(height, width);
}

function emitCovered(
  balance: Int32Array,
  lowest: number,
  highest: number,
  base: number,
  builder: RunBuilder,
): void {
  let depth = 0;
  let from = 0;
  for (let y = lowest; y <= highest; y++) {
    const change = balance[y] as number;
    if (change === 0) continue;
    balance[y] = 0;
    if (depth === 0) from = y;
    depth += change;
    if (depth === 0) builder.add(base + from, base + y);
  }
}

function checkRadius(radius: number): void {
  if (!(radius >= 0 && Number.isFinite(radius)))
    throw new MaskError(
      'bad-argument',
      'radius',
      `a radius is a number of pixels of at least 0, got ${radius}`,
    );
}
