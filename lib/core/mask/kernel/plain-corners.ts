import type { Mask } from '../mask';
import { columnSpans } from '../runs';

/**
 * Where borders turn, in column-major order; corners 2k and 2k + 1 are the upper and the lower end of one vertical
 * edge. A place where two foreground pixels touch only diagonally has two corners.
 */
export type Corners = {
  readonly xs: Uint32Array;
  readonly ys: Uint32Array;
  /** Per vertical edge, 1 when the pixels to its right are foreground. */
  readonly rightIsForeground: Uint8Array;
  /** The other end of the horizontal edge at each corner. */
  readonly across: Uint32Array;
  /** Corners row by row, each row from left to right; row y starts at rowStarts[y]. */
  readonly byRow: Uint32Array;
  readonly rowStarts: Uint32Array;
};

/** Reads the corners off the ends of the spans of neighbouring columns: no pixel is looked at. */
export function cornersOf(mask: Mask): Corners {
  const { height, width } = mask;
  const { ends, starts } = spanEnds(mask);
  const xs = new Uint32Array(2 * ends.length);
  const ys = new Uint32Array(2 * ends.length);
  const rightIsForeground = new Uint8Array(ends.length);
  const crossed: number[] = [];
  let count = 0;
  for (let x = 0; x <= width; x++) {
    // Ends of the column left of grid line x (a) and right of it (b). An odd index means: inside a span.
    let a = starts[Math.max(0, x - 1)] as number;
    const lastA = x === 0 ? a : (starts[x] as number);
    let b = starts[Math.min(width, x)] as number;
    const lastB = x === width ? b : (starts[x + 1] as number);
    while (a < lastA || b < lastB) {
      const ya = a < lastA ? (ends[a] as number) : height + 1;
      const yb = b < lastB ? (ends[b] as number) : height + 1;
      const y = Math.min(ya, yb);
      const touching = ya === yb && (a + b) % 2 === 1;
      // The upper pair touches to the right: the upper vertical edge turns right, the lower one left.
      if (touching && b % 2 === 1) crossed.push(count);
      if (ya === y) a++;
      if (yb === y) b++;
      if (ya === yb && !touching) continue;
      for (let twice = touching ? 2 : 1; twice > 0; twice--) {
        xs[count] = x;
        ys[count] = y;
        if (count % 2 === 0) rightIsForeground[count >> 1] = b % 2;
        count++;
      }
    }
  }
  return linkRows(xs.subarray(0, count), ys.subarray(0, count), rightIsForeground, crossed, height);
}

function spanEnds(mask: Mask): { ends: Uint32Array; starts: Uint32Array } {
  const spans = columnSpans(mask);
  const ends = new Uint32Array(2 * spans.tops.length);
  for (let i = 0; i < spans.tops.length; i++) {
    ends[2 * i] = spans.tops[i] as number;
    ends[2 * i + 1] = spans.bottoms[i] as number;
  }
  return { ends, starts: spans.starts.map((start) => 2 * start) };
}

/** Pairs the corners of each row, left to right, into horizontal edges. */
function linkRows(
  xs: Uint32Array,
  ys: Uint32Array,
  rightIsForeground: Uint8Array,
  crossed: readonly number[],
  height: number,
): Corners {
  const rowStarts = new Uint32Array(height + 2);
  for (const y of ys) rowStarts[y + 1] = (rowStarts[y + 1] as number) + 1;
  for (let y = 0; y <= height; y++)
    rowStarts[y + 1] = (rowStarts[y + 1] as number) + (rowStarts[y] as number);
  const byRow = new Uint32Array(xs.length);
  const next = rowStarts.slice();
  const place = (corner: number) => {
    const y = ys[corner] as number;
    byRow[next[y] as number] = corner;
    next[y] = (next[y] as number) + 1;
  };
  let nextCrossed = 0;
  for (let corner = 0; corner < xs.length; corner++) {
    if (crossed[nextCrossed] === corner) {
      nextCrossed++;
      place(corner + 1);
      place(corner++);
    } else place(corner);
  }
  const across = new Uint32Array(xs.length);
  for (let i = 0; i < byRow.length; i += 2) {
    across[byRow[i] as number] = byRow[i + 1] as number;
    across[byRow[i + 1] as number] = byRow[i] as number;
  }
  return { xs, ys, rightIsForeground, across, byRow, rowStarts };
}

/** A corner of the horizontal edge that lies over column x at row y; the caller knows that there is one. */
export function edgeOver(corners: Corners, x: number, y: number): number {
  const { xs, byRow, rowStarts } = corners;
  let low = (rowStarts[y] as number) >> 1;
  let high = ((rowStarts[y + 1] as number) >> 1) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((xs[byRow[2 * middle] as number] as number) <= x) low = middle;
    else high = middle - 1;
  }
  return byRow[2 * low] as number;
}
