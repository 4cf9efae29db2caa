import { ringArea } from '@/lib/core/geometry';

export type CleanRing = {
  readonly ring: Float64Array;
  /** Repeated points, and points on the straight line between their neighbours, that were dropped. */
  readonly dropped: number;
};

/** A drawn outline ready to be kept, or nothing when it encloses no area. */
export function cleanRing(points: ArrayLike<number>): CleanRing | undefined {
  const kept: number[] = [];
  for (let i = 0; i + 1 < points.length; i += 2)
    pushVertex(kept, withoutSign(points[i] as number), withoutSign(points[i + 1] as number));
  closeRing(kept);
  if (kept.length < 6 || ringArea(kept) === 0) return undefined;
  return { ring: Float64Array.from(kept), dropped: (points.length - kept.length) / 2 };
}

/** A drawn path ready to be kept: without repeated points. */
export function cleanPath(points: ArrayLike<number>): Float64Array {
  const kept: number[] = [];
  for (let i = 0; i + 1 < points.length; i += 2) {
    const x = withoutSign(points[i] as number);
    const y = withoutSign(points[i + 1] as number);
    if (kept.at(-2) !== x || kept.at(-1) !== y) kept.push(x, y);
  }
  return Float64Array.from(kept);
}

/** JSON cannot keep −0. */
function withoutSign(coordinate: number): number {
  return coordinate + 0;
}

function pushVertex(kept: number[], x: number, y: number): void {
  if (kept.at(-2) === x && kept.at(-1) === y) return;
  while (kept.length >= 4 && isBetween(kept, kept.length - 4, kept.length - 2, x, y)) kept.length -= 2;
  kept.push(x, y);
}

/** The first and the last points have neighbours across the seam. */
function closeRing(kept: number[]): void {
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    if (kept.length >= 4 && kept.at(-2) === kept[0] && kept.at(-1) === kept[1]) kept.length -= 2;
    if (kept.length < 8) return;
    if (isBetween(kept, kept.length - 4, kept.length - 2, kept[0] as number, kept[1] as number))
      kept.length -= 2;
    else if (isBetween(kept, kept.length - 2, 0, kept[2] as number, kept[3] as number)) kept.splice(0, 2);
  }
}

/** Whether the point at `middle` lies on the segment from the point at `start` to x, y. */
function isBetween(points: readonly number[], start: number, middle: number, x: number, y: number): boolean {
  const inX = (points[middle] as number) - (points[start] as number);
  const inY = (points[middle + 1] as number) - (points[start + 1] as number);
  const outX = x - (points[middle] as number);
  const outY = y - (points[middle + 1] as number);
  return inX * outY === inY * outX && inX * outX + inY * outY >= 0;
}
