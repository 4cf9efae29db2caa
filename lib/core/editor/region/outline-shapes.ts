import { fromBitmap, type Mask, type PolygonShape, simplifiedRegions } from '@/lib/core/mask';
import { onGrid } from '../document/limits';
import type { Size } from '../view/camera';

/** How much of the mask the outline may lose for having few vertices. */
const OUTLINE_LOSS = 0.01;

/** A suggested mask as polygons that can be edited, moved by whole pixels. */
export function outlineShapes(mask: Mask, left = 0, top = 0): PolygonShape[] {
  const placed = (ring: readonly number[]) =>
    Float64Array.from(ring, (value, i) => onGrid(value + (i % 2 === 0 ? left : top)));
  return simplifiedRegions(mask, OUTLINE_LOSS).map(({ outer, holes }) => ({
    kind: 'polygon',
    op: 'add',
    outer: placed(outer),
    holes: holes.map(placed),
  }));
}

/**
 * Where a row-major score is positive, on another size. Between the pixels the score is bilinear, so that the
 * border does not show the steps of a smaller score.
 */
export function maskFromScore(score: ArrayLike<number>, from: Size, to: Size): Mask {
  const bytes = new Uint8Array(to.width * to.height);
  const columns = Array.from({ length: to.width }, (_, x) => place(x, to.width, from.width));
  const hasPositive = Array.from({ length: from.height }, (_, y) =>
    isSomePositive(score, y * from.width, from.width),
  );
  for (let y = 0; y < to.height; y++) {
    const row = place(y, to.height, from.height);
    // A part covers few rows of a picture.
    if (!hasPositive[row.first] && !hasPositive[row.second]) continue;
    const upper = row.first * from.width;
    const lower = row.second * from.width;
    for (let x = 0; x < to.width; x++) {
      const { first, second, share } = columns[x] as Place;
      const above =
        (score[upper + first] as number) * (1 - share) + (score[upper + second] as number) * share;
      const below =
        (score[lower + first] as number) * (1 - share) + (score[lower + second] as number) * share;
      bytes[y * to.width + x] = above * (1 - row.share) + below * row.share > 0 ? 1 : 0;
    }
  }
  return fromBitmap(bytes, to.height, to.width);
}

function isSomePositive(score: ArrayLike<number>, start: number, length: number): boolean {
  for (let i = start; i < start + length; i++) if ((score[i] as number) > 0) return true;
  return false;
}

/** The two pixels between whose centres a pixel of the other size has its own, and how near it is to the second. */
type Place = { readonly first: number; readonly second: number; readonly share: number };

function place(at: number, size: number, sourceSize: number): Place {
  const centre = ((at + 0.5) * sourceSize) / size - 0.5;
  const floor = Math.floor(centre);
  const inside = (value: number) => Math.min(sourceSize - 1, Math.max(0, value));
  return { first: inside(floor), second: inside(floor + 1), share: centre - floor };
}
