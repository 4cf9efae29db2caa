import { aligned, reserve } from './memory';

// The corners of ../kernel/plain-corners.ts, in the same order: 8 bytes each, x then y. Corners 2k and 2k + 1 are the
// upper and the lower end of one vertical edge. The highest bit of x tells, at an upper end, that the pixels to the
// right are foreground.
const FLAG: u32 = 0x80000000;

let corners: usize = 0;
let across: usize = 0;
let found: u32 = 0;
let rows: i32 = 0;
let free: usize = 0;

// The left corners of all horizontal edges, row by row; rowEnds[y] is how many there are up to row y, and the word in
// front of it is 0. Made when first asked for: plain objects seldom need it.
let rowEnds: usize = 0;
let lefts: usize = 0;
let indexed: bool = false;

export function acrossPointer(): usize {
  return across;
}

export function freePointer(): usize {
  return free;
}

@inline
export function cornerX(i: u32): u32 {
  return load<u32>(corners + (<usize>i << 3)) & ~FLAG;
}

@inline
export function cornerY(i: u32): u32 {
  return load<u32>(corners + (<usize>i << 3), 4);
}

@inline
export function rightIsForeground(i: u32): bool {
  return (load<u32>(corners + (<usize>i << 3)) & FLAG) != 0;
}

/** Finds all corners and the horizontal edges between them; returns how many corners there are. */
export function findCorners(toggles: usize, count: i32, h: i32, w: i32, at: usize): u32 {
  // The ends of spans within their columns, and two sentinels for each: a run over k column borders gives k spans more.
  const most = (count >> 1) + w + w + 1;
  const starts = aligned(at);
  const open = aligned(starts + (<usize>(w + 2) << 2));
  const ends = aligned(open + (<usize>(h + 1) << 2));
  corners = aligned(ends + (<usize>most << 3));
  reserve(corners);
  memory.fill(open, 0, <usize>(h + 1) << 2);
  const last = spanEnds(toggles, count, h, w, starts, ends);
  // Every end of a span is compared with both neighbours, and gives at most one corner each time.
  const room = ((last - ends) >> 1) + 1;
  across = aligned(corners + (room << 3)) + 16;
  reserve(across + (room << 2));
  found = turns(h, w, starts, open);
  rows = h;
  rowEnds = aligned(across + (<usize>found << 2)) + 4;
  lefts = aligned(rowEnds + (<usize>(h + 1) << 2));
  free = aligned(lefts + (<usize>found << 1));
  indexed = false;
  return found;
}

/**
 * Writes tops and bottoms of all spans to `ends`, with two sentinels behind those of a column so that walking needs no
 * count; starts[x] points at those of column x. There is a column behind the last, without spans.
 */
@inline
function spanEnds(toggles: usize, count: i32, h: i32, w: i32, starts: usize, ends: usize): usize {
  const sentinels = (<u64>(h + 1) << 32) | <u64>(h + 1);
  let o = ends;
  let column = 0;
  let bottom = h;
  store<u32>(starts, <u32>o);
  const last = toggles + (<usize>(count >> 1) << 3);
  for (let p = toggles; p < last; p += 8) {
    let from = load<i32>(p);
    const to = load<i32>(p, 4);
    while (from < to) {
      for (; from >= bottom; bottom += h, o += 8) {
        store<u64>(o, sentinels);
        store<u32>(starts + (<usize>++column << 2), <u32>o + 8);
      }
      const stop = min(to, bottom);
      store<i32>(o, from + h - bottom);
      store<i32>(o, stop + h - bottom, 4);
      o += 8;
      from = stop;
    }
  }
  for (; column <= w; o += 8) {
    store<u64>(o, sentinels);
    store<u32>(starts + (<usize>++column << 2), <u32>o + 8);
  }
  return o;
}

/**
 * Compares neighbouring columns; the low bit of an index, bit 2 of the pointer, means: inside a span. Corners of one row
 * come from left to right, so that every second one ends the horizontal edge that `open` remembers for its row.
 */
@inline
function turns(h: i32, w: i32, starts: usize, open: usize): u32 {
  let i: u32 = 0;
  // Left of the first column lies one without spans, as behind the last.
  let left = <usize>load<u32>(starts + (<usize>w << 2));
  for (let x = 0; x <= w; x++) {
    const right = <usize>load<u32>(starts + (<usize>x << 2));
    let a = left;
    let b = right;
    for (;;) {
      const ya = load<i32>(a);
      const yb = load<i32>(b);
      const y = min(ya, yb);
      if (y > h) break;
      const touching = ya == yb && ((a ^ b) & 4) != 0;
      // The upper pair touches to the right: the upper vertical edge turns right, the lower one left.
      const swapped = <u32>b & 4;
      a += <usize>(ya == y) << 2;
      b += <usize>(yb == y) << 2;
      const flagged = <u32>x | ((<u32>b & 4) << 29);
      if (touching) {
        put(i, flagged, y);
        put(i + 1, flagged, y);
        link(select(i + 1, i, swapped), y, open);
        link(select(i, i + 1, swapped), y, open);
        i += 2;
      } else if (ya != yb) {
        put(i, flagged, y);
        link(i++, y, open);
      }
    }
    left = right;
  }
  return i;
}

@inline
function put(corner: u32, x: u32, y: i32): void {
  const p = corners + (<usize>corner << 3);
  store<u32>(p, x);
  store<i32>(p, y, 4);
}

/**
 * Ends the horizontal edge that is open in the row, or opens one, as likely as not and hence without a branch: `open`
 * holds a corner + 1, or 0; corner −1 lies in a gap in front of the others.
 */
@inline
function link(corner: u32, y: i32, open: usize): void {
  const o = open + (<usize>y << 2);
  const other = load<u32>(o);
  store<u32>(across + (<usize>corner << 2), other - 1);
  store<u32>(across + (<usize>other << 2) - 4, corner);
  store<u32>(o, select<u32>(0, corner + 1, other));
}

/** A corner of the horizontal edge that lies over column x at row y; the caller knows that there is one. */
export function edgeOver(x: u32, y: u32): u32 {
  if (!indexed) indexRows();
  let low = load<u32>(rowEnds + (<usize>y << 2) - 4);
  let high = load<u32>(rowEnds + (<usize>y << 2)) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cornerX(load<u32>(lefts + (<usize>middle << 2))) <= x) low = middle;
    else high = middle - 1;
  }
  return load<u32>(lefts + (<usize>low << 2));
}

function indexRows(): void {
  indexed = true;
  memory.fill(rowEnds - 4, 0, <usize>(rows + 2) << 2);
  for (let i: u32 = 0; i < found; i++) {
    const r = rowEnds + (<usize>cornerY(i) << 2);
    store<u32>(r, load<u32>(r) + <u32>isLeft(i));
  }
  let sum: u32 = 0;
  for (let y = 0; y <= rows; y++) {
    const r = rowEnds + (<usize>y << 2);
    const size = load<u32>(r);
    store<u32>(r, sum);
    sum += size;
  }
  for (let i: u32 = 0; i < found; i++) {
    if (!isLeft(i)) continue;
    const r = rowEnds + (<usize>cornerY(i) << 2);
    const at = load<u32>(r);
    store<u32>(lefts + (<usize>at << 2), i);
    store<u32>(r, at + 1);
  }
}

@inline
function isLeft(corner: u32): bool {
  return cornerX(load<u32>(across + (<usize>corner << 2))) > cornerX(corner);
}

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
