import { mirrored } from './edge';

/** Points along each side of a pixel that are asked whether they lie in the disk. */
const POINTS = 8;

interface Tap {
  dx: number;
  dy: number;
  weight: number;
}

/** The mean over a disk, mirrored at the edges. Pixels that the rim cuts count by the part inside. */
export function diskBlur(
  plane: ArrayLike<number>,
  width: number,
  height: number,
  radius: number,
): Float64Array {
  const taps = diskTaps(radius);
  const out = new Float64Array(width * height);
  for (const { dx, dy, weight } of taps) {
    const columns = Int32Array.from({ length: width }, (_, x) => mirrored(x + dx, width));
    for (let y = 0; y < height; y++) {
      const from = mirrored(y + dy, height) * width;
      for (let x = 0; x < width; x++)
        out[y * width + x] =
          (out[y * width + x] as number) + weight * (plane[from + (columns[x] as number)] as number);
    }
  }
  return out;
}

export function diskTaps(radius: number): Tap[] {
  const reach = Math.ceil(radius);
  const taps: Tap[] = [];
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) {
      const weight = inside(dx, dy, radius);
      if (weight > 0) taps.push({ dx, dy, weight });
    }
  if (taps.length === 0) return [{ dx: 0, dy: 0, weight: 1 }];
  const sum = taps.reduce((total, { weight }) => total + weight, 0);
  return taps.map((tap) => ({ ...tap, weight: tap.weight / sum }));
}

function inside(dx: number, dy: number, radius: number): number {
  let count = 0;
  for (let i = 0; i < POINTS; i++)
    for (let k = 0; k < POINTS; k++) {
      const [x, y] = [dx + (i + 0.5) / POINTS - 0.5, dy + (k + 0.5) / POINTS - 0.5];
      if (x * x + y * y <= radius * radius) count += 1;
    }
  return count;
}
