import { aligned, reserve } from './memory';

// The corners of ../corners.ts, in the same order: 8 bytes each, x then y. Corners 2k and 2k + 1 are the upper and the
// lower end of one vertical edge. Flags sit in the highest bit: of x at an upper end when the pixels to the right are
// foreground, of y at the first of two corners in one place when the second comes first in its row.
const FLAG: u32 = 0x80000000;

let corners: usize = 0;
let across: usize = 0;
let byRow: usize = 0;
let rowStarts: usize = 0;
let free: usize = 0;

export function cornersPointer(): usize {
  return corners;
}

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
  // The ends of spans within their columns: a run over k column borders gives k spans more.
  const most = (count >> 1) + w;
  const starts = aligned(at);
  const ends = aligned(starts + (<usize>(w + 2) << 2));
  corners = aligned(ends + (<usize>most << 3));
  reserve(corners);
  const last = spanEnds(toggles, count, h, w, starts, ends);
  reserve(corners + ((last - ends) << 2));
  const found = turns(h, w, starts);
  const behind = aligned(corners + (<usize>found << 3));
  linkRows(found, h, behind);
  return found;
}

/** Writes tops and bottoms of all spans to `ends`; starts[x] points at those of column x. */
@inline
function spanEnds(toggles: usize, count: i32, h: i32, w: i32, starts: usize, ends: usize): usize {
  let o = ends;
  let column = -1;
  let base = -h;
  const last = toggles + (<usize>(count >> 1) << 3);
  for (let p = toggles; p < last; p += 8) {
    let from = load<i32>(p);
    const to = load<i32>(p, 4);
    while (from < to) {
      while (from >= base + h) {
        base += h;
        store<u32>(starts + (<usize>++column << 2), <u32>o);
      }
      const stop = min(to, base + h);
      store<i32>(o, from - base);
      store<i32>(o, stop - base, 4);
      o += 8;
      from = stop;
    }
  }
  while (column < w) store<u32>(starts + (<usize>++column << 2), <u32>o);
  return o;
}

/** Compares neighbouring columns; the low bit of an index, bit 2 of the pointer, means: inside a span. */
@inline
function turns(h: i32, w: i32, starts: usize): u32 {
  let o = corners;
  const origin = load<u32>(starts);
  for (let x = 0; x <= w; x++) {
    let a = <usize>(x == 0 ? origin : load<u32>(starts + (<usize>(x - 1) << 2)));
    const lastA = <usize>load<u32>(starts + (<usize>x << 2));
    let b = lastA;
    const lastB = x == w ? b : <usize>load<u32>(starts + (<usize>(x + 1) << 2));
    while (a < lastA || b < lastB) {
      const ya = a < lastA ? load<i32>(a) : h + 1;
      const yb = b < lastB ? load<i32>(b) : h + 1;
      const y = min(ya, yb);
      const same = ya == yb;
      const opposite = same && ((a ^ b) & 4) != 0;
      const flagY = opposite && (b & 4) != 0 ? FLAG : 0;
      a += <usize>(ya == y) << 2;
      b += <usize>(yb == y) << 2;
      if (same && !opposite) continue;
      const flagX = (b & 4) != 0 ? FLAG : 0;
      store<u32>(o, <u32>x | flagX);
      store<u32>(o, <u32>y | flagY, 4);
      o += 8;
      if (opposite) {
        store<u32>(o, <u32>x | flagX);
        store<u32>(o, <u32>y, 4);
        o += 8;
      }
    }
  }
  return <u32>((o - corners) >> 3);
}

/** Pairs the corners of each row, left to right, into horizontal edges. */
@inline
function linkRows(found: u32, h: i32, at: usize): void {
  rowStarts = at;
  const next = aligned(rowStarts + (<usize>(h + 2) << 2));
  byRow = aligned(next + (<usize>(h + 2) << 2));
  across = aligned(byRow + (<usize>found << 2));
  free = aligned(across + (<usize>found << 2));
  reserve(free);
  memory.fill(rowStarts, 0, <usize>(h + 2) << 2);
  for (let i: u32 = 0; i < found; i++) {
    const s = rowStarts + (<usize>(cornerY(i) & ~FLAG) << 2);
    store<u32>(s, load<u32>(s) + 1);
  }
  let sum: u32 = 0;
  for (let y = 0; y <= h + 1; y++) {
    const s = rowStarts + (<usize>y << 2);
    const size = load<u32>(s);
    store<u32>(s, sum);
    store<u32>(next + (<usize>y << 2), sum);
    sum += size;
  }
  for (let i: u32 = 0; i < found; i++) {
    const y = cornerY(i);
    if (y & FLAG) {
      store<u32>(corners + (<usize>i << 3), y & ~FLAG, 4);
      place(i + 1, next);
      place(i++, next);
    } else place(i, next);
  }
  for (let i: u32 = 0; i < found; i += 2) {
    const left = load<u32>(byRow + (<usize>i << 2));
    const right = load<u32>(byRow + (<usize>i << 2), 4);
    store<u32>(across + (<usize>left << 2), right);
    store<u32>(across + (<usize>right << 2), left);
  }
}

@inline
function place(corner: u32, next: usize): void {
  const n = next + (<usize>cornerY(corner) << 2);
  const at = load<u32>(n);
  store<u32>(byRow + (<usize>at << 2), corner);
  store<u32>(n, at + 1);
}

/** A corner of the horizontal edge that lies over column x at row y; the caller knows that there is one. */
export function edgeOver(x: u32, y: u32): u32 {
  let low = load<u32>(rowStarts + (<usize>y << 2)) >> 1;
  let high = (load<u32>(rowStarts + (<usize>y << 2), 4) >> 1) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cornerX(load<u32>(byRow + (<usize>middle << 3))) <= x) low = middle;
    else high = middle - 1;
  }
  return load<u32>(byRow + (<usize>low << 3));
}
