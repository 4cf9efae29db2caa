import { columnSpans, type Mask } from '../mask';
import type { Region } from '../regions';

type GrowingRegion = { outer: number[]; holes: number[][]; parent: number | null };
type TracedRing = { readonly isHole: boolean; readonly region: number };

export function regions(mask: Mask): Region[] {
  const corners = cornersOf(mask);
  const ringOf = new Int32Array(corners.xs.length).fill(-1);
  const rings: TracedRing[] = [];
  const regions: GrowingRegion[] = [];
  // Corners come in column-major order: a ring is met at its leftmost and there topmost corner, when every ring
  // that passes to the left of it has been met.
  for (let start = 0; start < corners.xs.length; start += 2) {
    if (ringOf[start] !== -1) continue;
    const isHole = corners.rightIsForeground[start >> 1] === 0;
    const points = traceRing(corners, start, isHole, ringOf, rings.length);
    const above = ringAbove(mask, corners, start, ringOf);
    rings.push(isHole ? addHole(regions, rings, above, points) : addRegion(regions, rings, above, points));
  }
  return regions;
}

function addHole(
  regions: GrowingRegion[],
  rings: readonly TracedRing[],
  above: number | undefined,
  points: number[],
): TracedRing {
  const { region } = rings[above as number] as TracedRing;
  (regions[region] as GrowingRegion).holes.push(points);
  return { isHole: true, region };
}

function addRegion(
  regions: GrowingRegion[],
  rings: readonly TracedRing[],
  above: number | undefined,
  points: number[],
): TracedRing {
  const neighbour = above === undefined ? undefined : (rings[above] as TracedRing);
  const parent = !neighbour
    ? null
    : neighbour.isHole
      ? neighbour.region
      : (regions[neighbour.region] as GrowingRegion).parent;
  regions.push({ outer: points, holes: [], parent });
  return { isHole: false, region: regions.length - 1 };
}

/** Takes vertical and horizontal edges in turn: an outer ring starts along the top, a hole down its left side. */
function traceRing(
  corners: Corners,
  start: number,
  isHole: boolean,
  ringOf: Int32Array,
  ring: number,
): number[] {
  const { xs, ys, across } = corners;
  const points: number[] = [];
  let corner = start;
  let vertical = isHole;
  do {
    ringOf[corner] = ring;
    points.push(xs[corner] as number, ys[corner] as number);
    corner = vertical ? corner ^ 1 : (across[corner] as number);
    vertical = !vertical;
  } while (corner !== start);
  return points;
}

/**
 * The ring that bounds from above the stretch of equal pixels just left of a ring's first corner: for a hole that
 * stretch is the region around it, for an outer ring the background around it. Nothing when that background
 * reaches the top of the canvas.
 */
function ringAbove(mask: Mask, corners: Corners, start: number, ringOf: Int32Array): number | undefined {
  const column = (corners.xs[start] as number) - 1;
  if (column < 0) return undefined;
  const base = column * mask.height;
  const run = runAt(mask.toggles, base + (corners.ys[start] as number));
  const top = run === 0 ? 0 : Math.max(0, (mask.toggles[run - 1] as number) - base);
  const isBackground = run % 2 === 0;
  if (top === 0 && isBackground) return undefined;
  return ringOf[edgeOver(corners, column, top)];
}

/** Index of the run that holds a position. */
function runAt(toggles: Readonly<Uint32Array>, position: number): number {
  let low = 0;
  let high = toggles.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((toggles[middle] as number) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Where borders turn, in column-major order; corners 2k and 2k + 1 are the upper and the lower end of one vertical
 * edge. A place where two foreground pixels touch only diagonally has two corners.
 */
type Corners = {
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
function cornersOf(mask: Mask): Corners {
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
function edgeOver(corners: Corners, x: number, y: number): number {
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
