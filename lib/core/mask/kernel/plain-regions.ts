import type { Mask } from '../mask';
import type { Region } from '../regions';
import { type Corners, cornersOf, edgeOver } from './plain-corners';

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
