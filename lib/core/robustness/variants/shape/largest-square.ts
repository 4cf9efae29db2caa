import type { Region } from '../../region';

/** The largest square of pixels that all belong to a region; null where it is empty. The first of equal ones. */
export function largestSquare(region: Region, width: number): { x: number; y: number; side: number } | null {
  // Of each pixel, the side of the largest square that ends there.
  const sides = new Int32Array(region.length);
  let best: { x: number; y: number; side: number } | null = null;
  for (let i = 0; i < region.length; i++) {
    if (!region[i]) continue;
    const x = i % width;
    const y = (i - x) / width;
    const side =
      x === 0 || y === 0
        ? 1
        : 1 + Math.min(sides[i - 1] as number, sides[i - width] as number, sides[i - width - 1] as number);
    sides[i] = side;
    if (!best || side > best.side) best = { x: x - side + 1, y: y - side + 1, side };
  }
  return best;
}
