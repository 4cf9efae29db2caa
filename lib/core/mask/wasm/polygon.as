import { widen } from './bitmap';
import { aligned, reserve, settle } from './memory';

/** The same rule as the TypeScript path: see ../polygon.ts for what the numbers mean. */
const SCALE: i32 = 5;

@inline
function fine(coordinate: f64): i32 {
  return <i32>(5.0 * coordinate + 0.5);
}

@inline
function floorDiv5(v: i32): i32 {
  return v >= 0 ? v / SCALE : -((4 - v) / SCALE);
}

let result: usize = 0;

export function setResult(p: usize): void {
  result = p;
}

/** Where the toggles of the last call that lays them out itself start. */
export function resultAt(): usize {
  return result;
}

// What `cross` leaves behind: the crossings column by column from `flips` on, `total` in all, in columns left … right.
// A column's word in `slots` points behind its last crossing.
let slots: usize = 0;
let flips: usize = 0;
let total: i32 = 0;
let left: i32 = 0;
let right: i32 = 0;

/** Rasterises a ring of `points` f64 pairs; scratch and toggles lie behind `free`. Returns the number of toggles. */
export function polygon(ring: usize, points: i32, h: i32, w: i32, free: usize): i32 {
  cross(ring, points, h, w, free);
  const out = aligned(flips + (<usize>total << 2));
  reserve(out + (<usize>(total + 1) << 2));
  sortColumns();
  result = out;
  return settle(flips, total, out, <u32>(h * w));
}

/** Finds where the ring crosses the middle of each column. */
function cross(ring: usize, points: i32, h: i32, w: i32, free: usize): void {
  const fineAt = aligned(free);
  slots = aligned(fineAt + (<usize>(points + 1) << 3));
  flips = aligned(slots + (<usize>(w + 2) << 2));
  reserve(flips);
  memory.fill(slots, 0, (<usize>(w + 2)) << 2);
  const end = refine(ring, points, fineAt);
  countColumns(fineAt, end, w);
  reserve(flips + (<usize>total << 2));
  for (let q = fineAt; q < end; q += 8) edge(q, h, w, false);
}

/** The ring's points on the fine grid, with the first one again at the end; returns where that lies. */
@inline
function refine(ring: usize, points: i32, fineAt: usize): usize {
  const end = fineAt + (<usize>points << 3);
  for (let p = ring, q = fineAt; q < end; p += 16, q += 8) {
    store<i32>(q, fine(load<f64>(p)));
    store<i32>(q, fine(load<f64>(p, 8)), 4);
  }
  store<i64>(end, load<i64>(fineAt));
  return end;
}

/** How many crossings each column gets: first as differences, then as the place of its first one. */
@inline
function countColumns(from: usize, end: usize, w: i32): void {
  left = w;
  right = -1;
  for (let q = from; q < end; q += 8) {
    const ax = load<i32>(q);
    const bx = load<i32>(q, 8);
    const first = max(0, floorDiv5(min(ax, bx) + 2));
    const last = min(w - 1, floorDiv5(max(ax, bx) - 3));
    if (last < first) continue;
    left = min(left, first);
    right = max(right, last);
    const s = slots + (<usize>first << 2);
    store<i32>(s, load<i32>(s) + 1);
    const e = slots + (<usize>(last + 1) << 2);
    store<i32>(e, load<i32>(e) - 1);
  }
  let depth = 0;
  total = 0;
  for (let x = left; x <= right; x++) {
    const s = slots + (<usize>x << 2);
    depth += load<i32>(s);
    store<u32>(s, <u32>(flips + (<usize>total << 2)));
    total += depth;
  }
}

// Where `markRing` marks, with which bits, and the box of what it marked.
let pixels: usize = 0;
let stride: usize = 0;
let bits: u8 = 0;
let x0: i32 = 0;
let x1: i32 = 0;
let y0: i32 = 0;
let y1: i32 = 0;

/**
 * Marks the crossings of a ring on row-major bytes, by flipping the bits of `plane`, and widens the painted area. The
 * order of crossings does not matter here. Needs `carry` after the last ring.
 */
export function markRing(ring: usize, points: i32, h: i32, w: i32, bytes: usize, plane: i32, free: usize): void {
  const fineAt = aligned(free);
  reserve(fineAt + (<usize>(points + 1) << 3));
  pixels = bytes;
  stride = <usize>w;
  bits = <u8>plane;
  x0 = w;
  x1 = 0;
  y0 = h;
  y1 = 0;
  const end = refine(ring, points, fineAt);
  for (let q = fineAt; q < end; q += 8) edge(q, h, w, true);
  widen(x0, x1, y0, min(y1 + 1, h));
}

@inline
function edge(q: usize, h: i32, w: i32, marks: bool): void {
  let ax = load<i32>(q);
  let ay = load<i32>(q, 4);
  let bx = load<i32>(q, 8);
  let by = load<i32>(q, 12);
  const dx = abs(bx - ax);
  const dy = abs(by - ay);
  if (dx == 0) return;
  const flat = dx >= dy;
  if (flat ? ax > bx : ay > by) {
    let t = ax;
    ax = bx;
    bx = t;
    t = ay;
    ay = by;
    by = t;
  }
  const first = max(0, floorDiv5(min(ax, bx) + 2));
  const last = min(w - 1, floorDiv5(max(ax, bx) - 3));
  if (last < first) return;
  if (marks) {
    x0 = min(x0, first);
    x1 = max(x1, last + 1);
  }
  if (flat) {
    const slope = <f64>(by - ay) / <f64>dx;
    const start = <f64>ay;
    let t = SCALE * first + (slope >= 0 ? 2 : 3) - ax;
    for (let x = first; x <= last; x++, t += SCALE) {
      const y = row(<i32>(start + slope * <f64>t + 0.5), h);
      if (marks) mark(x, y, h);
      else put(x, y, h);
    }
  } else {
    const slope = <f64>(bx - ax) / <f64>dy;
    const start = <f64>ax;
    const rising = slope > 0;
    const inverse = 1.0 / slope;
    for (let x = first; x <= last; x++) {
      const right = <f64>(SCALE * x + 3);
      let t = <i32>ceil((right - 0.5 - start) * inverse);
      while (start + slope * <f64>(t - 1) + 0.5 >= right == rising) t--;
      while (start + slope * <f64>t + 0.5 >= right != rising) t++;
      const y = row(ay + t - 1, h);
      if (marks) mark(x, y, h);
      else put(x, y, h);
    }
  }
}

/** Back from the fine grid, within the canvas. */
@inline
function row(v: i32, h: i32): i32 {
  return min(<i32>(<u32>max(v + 2, 0) / 5), h);
}

@inline
function mark(x: i32, y: i32, h: i32): void {
  y0 = min(y0, y);
  y1 = max(y1, y);
  if (y == h) return;
  const p = pixels + <usize>y * stride + <usize>x;
  store<u8>(p, load<u8>(p) ^ bits);
}

@inline
function put(x: i32, y: i32, h: i32): void {
  const s = slots + (<usize>x << 2);
  const at = load<u32>(s);
  store<u32>(at, <u32>(x * h + y));
  store<u32>(s, at + 4);
}

/** After pass 2 each slot points behind its column's last crossing. */
@inline
function sortColumns(): void {
  let from = flips;
  for (let x = left; x <= right; x++) {
    const to = <usize>load<u32>(slots + (<usize>x << 2));
    const size = to - from;
    if (size == 8) {
      const a = load<u32>(from);
      const b = load<u32>(from, 4);
      store<u32>(from, min(a, b));
      store<u32>(from, max(a, b), 4);
    } else if (size > 8) {
      if (size > 512) shellSort(from, to);
      insertionSort(from, to);
    }
    from = to;
  }
}

@inline
function insertionSort(from: usize, to: usize): void {
  for (let i = from + 4; i < to; i += 4) {
    const value = load<u32>(i);
    let j = i;
    while (j > from && load<u32>(j - 4) > value) {
      store<u32>(j, load<u32>(j - 4));
      j -= 4;
    }
    store<u32>(j, value);
  }
}

/** Ciura's gaps, continued by 2.25: brings a long column close to order, insertion finishes. */
function shellSort(from: usize, to: usize): void {
  const count = <i32>((to - from) >> 2);
  let gap = 4;
  while (gap * 9 / 4 < count) gap = gap * 9 / 4;
  for (; gap > 1; gap = gap * 4 / 9) {
    const step = <usize>gap << 2;
    for (let i = from + step; i < to; i += 4) {
      const value = load<u32>(i);
      let j = i;
      while (j >= from + step && load<u32>(j - step) > value) {
        store<u32>(j, load<u32>(j - step));
        j -= step;
      }
      store<u32>(j, value);
    }
  }
}
