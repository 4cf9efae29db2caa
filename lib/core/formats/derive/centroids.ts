import { isEmpty, type Mask } from '@/lib/core/mask';
import { columnSpans } from '@/lib/core/mask/runs';

export const centroidsRule =
  'The centroid of a part is the mean of its pixels, its spread their standard deviation, both in x and y, in pixels with the first at 0.';

export interface Centroid {
  x: number;
  y: number;
  spreadX: number;
  spreadY: number;
}

/** Null for an empty mask. */
export function centroidOf(mask: Mask): Centroid | null {
  if (isEmpty(mask)) return null;
  const { starts, tops, bottoms } = columnSpans(mask);
  let n = 0;
  let sumX = 0;
  let sumY = 0;
  let squareX = 0;
  let squareY = 0;
  for (let x = 0; x < mask.width; x++)
    for (let i = starts[x] as number; i < (starts[x + 1] as number); i++) {
      const top = tops[i] as number;
      const last = (bottoms[i] as number) - 1;
      const count = last - top + 1;
      n += count;
      sumX += x * count;
      squareX += x * x * count;
      sumY += ((top + last) * count) / 2;
      squareY += squares(last) - squares(top - 1);
    }
  const [x, y] = [sumX / n, sumY / n];
  const spread = (square: number, mean: number) => Math.sqrt(Math.max(0, square / n - mean * mean));
  return { x, y, spreadX: spread(squareX, x), spreadY: spread(squareY, y) };
}

/** 0² + 1² + … + n². */
const squares = (n: number) => (n * (n + 1) * (2 * n + 1)) / 6;
