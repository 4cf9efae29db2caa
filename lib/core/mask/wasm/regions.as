import { acrossPointer, cornerX, cornerY, edgeOver, findCorners, freePointer, rightIsForeground } from './corners';
import { aligned, reserve } from './memory';

// The regions of ../kernel/plain-regions.ts. A ring is 4 × i32: where its points end (in points), 1 for a hole, the number
// of its region, and the number of the region around that, or -1.
let rings: usize = 0;
let points: usize = 0;

export function ringsAt(): usize {
  return rings;
}

/** x and y as i32 each. */
export function pointsAt(): usize {
  return points;
}

/** Traces all rings of a mask, behind `at`; returns how many there are. */
export function traceRegions(toggles: usize, count: i32, h: i32, w: i32, at: usize): i32 {
  const found = findCorners(toggles, count, h, w, at);
  const ringOf = freePointer();
  points = aligned(ringOf + (<usize>found << 2));
  rings = aligned(points + (<usize>found << 3));
  // A ring has at least 4 corners.
  reserve(rings + (<usize>found << 2));
  memory.fill(ringOf, 0xff, <usize>found << 2);
  let o = points;
  let ring = 0;
  let regions = 0;
  for (let start: u32 = 0; start < found; start += 2) {
    if (load<i32>(ringOf + (<usize>start << 2)) >= 0) continue;
    const isHole = !rightIsForeground(start);
    o = traceRing(start, isHole, ringOf, ring, o);
    const above = ringAbove(toggles, count, h, start, ringOf);
    const r = rings + (<usize>ring << 4);
    store<i32>(r, <i32>((o - points) >> 3));
    store<i32>(r, <i32>isHole, 4);
    const neighbour = rings + (<usize>above << 4);
    const neighbourIsHole = above >= 0 && load<i32>(neighbour, 4) == 1;
    if (isHole) {
      store<i32>(r, load<i32>(neighbour, 8), 8);
      store<i32>(r, load<i32>(neighbour, 12), 12);
    } else {
      store<i32>(r, regions++, 8);
      store<i32>(r, above < 0 ? -1 : load<i32>(neighbour + (neighbourIsHole ? 8 : 12)), 12);
    }
    ring++;
  }
  return ring;
}

@inline
function traceRing(start: u32, isHole: bool, ringOf: usize, ring: i32, o: usize): usize {
  const across = acrossPointer();
  let corner = start;
  let vertical = isHole;
  do {
    store<i32>(ringOf + (<usize>corner << 2), ring);
    store<u32>(o, cornerX(corner));
    store<u32>(o, cornerY(corner), 4);
    o += 8;
    corner = vertical ? corner ^ 1 : load<u32>(across + (<usize>corner << 2));
    vertical = !vertical;
  } while (corner != start);
  return o;
}

/** See ../kernel/plain-regions.ts; -1 for nothing. */
@inline
function ringAbove(toggles: usize, count: i32, h: i32, start: u32, ringOf: usize): i32 {
  const column = <i32>cornerX(start) - 1;
  if (column < 0) return -1;
  const base = column * h;
  const position = base + <i32>cornerY(start);
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<i32>(toggles + (<usize>middle << 2)) > position) high = middle;
    else low = middle + 1;
  }
  const top = low == 0 ? 0 : max(0, load<i32>(toggles + (<usize>low << 2) - 4) - base);
  if (top == 0 && (low & 1) == 0) return -1;
  return load<i32>(ringOf + (<usize>edgeOver(<u32>column, <u32>top) << 2));
}
