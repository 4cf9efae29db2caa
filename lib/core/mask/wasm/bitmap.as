import { box } from './measure';
import { aligned, reserve, settle } from './memory';
import { setResult } from './polygon';

// Painting on blank row-major bytes: mark where columns flip, then carry each row into the next. The area that has been
// painted is remembered, so that only it has to be blanked again.

/** Beyond every side, and far enough from the end of i32 to count up from. */
const NOWHERE: i32 = 1 << 30;

let left: i32 = NOWHERE;
let right: i32 = 0;
let top: i32 = NOWHERE;
let bottom: i32 = 0;

@inline
export function widen(x0: i32, x1: i32, y0: i32, y1: i32): void {
  if (x0 >= x1 || y0 >= y1) return;
  left = min(left, x0);
  right = max(right, x1);
  top = min(top, y0);
  bottom = max(bottom, y1);
}

export function forget(): void {
  left = NOWHERE;
  right = 0;
  top = NOWHERE;
  bottom = 0;
}

/**
 * The first of the painted columns, widened by blank ones so that whole vectors cover them where the row is long enough.
 */
@inline
function firstColumn(w: i32): usize {
  return <usize>max(0, min(left, w - ((right - left + 15) & ~15)));
}

/** How far whole vectors reach from `first` on: over the last painted column, or to the end of the row. */
@inline
function vectorsEnd(first: usize, w: i32): usize {
  return first + (min(<usize>right - first + 15, <usize>w - first) & ~15);
}

/** From so many bytes on, filling a row in one call is faster than vector by vector. */
const LONG: i32 = 256;

/** Blanks what has been painted since the last time. */
export function erase(bytes: usize, w: i32): void {
  if (left < right) {
    if (right - left >= LONG) eraseLong(bytes, w);
    else eraseShort(bytes, w);
  }
  forget();
}

@inline
function eraseLong(bytes: usize, w: i32): void {
  for (let y = top; y < bottom; y++)
    memory.fill(bytes + <usize>y * <usize>w + <usize>left, 0, <usize>(right - left));
}

@inline
function eraseShort(bytes: usize, w: i32): void {
  const first = firstColumn(w);
  const last = vectorsEnd(first, w);
  const blank = i8x16.splat(0);
  for (let y = top; y < bottom; y++) {
    const row = bytes + <usize>y * <usize>w;
    for (let p = row + first; p < row + last; p += 16) v128.store(p, blank);
    for (let x = last; x < <usize>right; x++) store<u8>(row + x, 0);
  }
}

/** Marks both ends of every column span of a mask in bit 0. */
export function markRuns(toggles: usize, count: i32, h: i32, w: i32, bytes: usize): void {
  const pairs = count >> 1;
  if (pairs == 0) return;
  const last = toggles + (<usize>pairs << 3);
  const first = load<i32>(toggles) / h;
  let x = first;
  let base = first * h;
  let y0 = h;
  let y1 = 0;
  for (let p = toggles; p < last; p += 8) {
    let from = load<i32>(p);
    const to = load<i32>(p, 4);
    while (from - base >= h) {
      base += h;
      x++;
    }
    for (;;) {
      const y = from - base;
      const stop = min(to - base, h);
      flip(bytes, x, y, w);
      if (stop < h) flip(bytes, x, stop, w);
      y0 = min(y0, y);
      y1 = max(y1, stop);
      from = base + h;
      if (to <= from) break;
      base = from;
      x++;
    }
  }
  widen(first, x + 1, y0, min(y1 + 1, h));
}

@inline
function flip(bytes: usize, x: i32, y: i32, w: i32): void {
  const p = bytes + <usize>y * <usize>w + <usize>x;
  store<u8>(p, load<u8>(p) ^ 1);
}

/** Carries rows down within the painted area. With several planes, whatever bit is set then becomes 1. */
export function carry(bytes: usize, w: i32, planes: i32): void {
  if (left >= right) return;
  const first = firstColumn(w);
  const last = vectorsEnd(first, w);
  for (let y = top + 1; y < bottom; y++) {
    const row = bytes + <usize>y * <usize>w;
    carryRow(row, row - <usize>w, first, last);
    if (planes > 1) flattenRow(row - <usize>w, first, last);
  }
  if (planes > 1) flattenRow(bytes + <usize>(bottom - 1) * <usize>w, first, last);
}

@inline
function carryRow(row: usize, above: usize, first: usize, last: usize): void {
  let x = first;
  for (; x + 64 <= last; x += 64) {
    const p = row + x;
    const q = above + x;
    v128.store(p, v128.xor(v128.load(p), v128.load(q)));
    v128.store(p, v128.xor(v128.load(p, 16), v128.load(q, 16)), 16);
    v128.store(p, v128.xor(v128.load(p, 32), v128.load(q, 32)), 32);
    v128.store(p, v128.xor(v128.load(p, 48), v128.load(q, 48)), 48);
  }
  for (; x < last; x += 16) v128.store(row + x, v128.xor(v128.load(row + x), v128.load(above + x)));
  for (; x < <usize>right; x++) store<u8>(row + x, load<u8>(row + x) ^ load<u8>(above + x));
}

@inline
function flattenRow(row: usize, first: usize, last: usize): void {
  const one = i8x16.splat(1);
  let x = first;
  for (; x < last; x += 16) v128.store(row + x, i8x16.min_u(v128.load(row + x), one));
  for (; x < <usize>right; x++) store<u8>(row + x, min<u8>(load<u8>(row + x), 1));
}

/** 16 bits, one per byte: 1 where the byte is 0. */
@inline
function zeros(p: usize): v128 {
  return i8x16.eq(v128.load(p), i8x16.splat(0));
}

/** Most rows look like the one above them: equal bytes need no closer look at which are zero. */
@inline
function equal64(p: usize, q: usize): bool {
  const d0 = v128.xor(v128.load(p), v128.load(q));
  const d1 = v128.xor(v128.load(p, 16), v128.load(q, 16));
  const d2 = v128.xor(v128.load(p, 32), v128.load(q, 32));
  const d3 = v128.xor(v128.load(p, 48), v128.load(q, 48));
  return !v128.any_true(v128.or(v128.or(d0, d1), v128.or(d2, d3)));
}

/** Row-major bytes (non-zero is foreground) to toggles, laid out behind `free`. Returns their number. */
export function encodeRows(bytes: usize, h: i32, w: i32, free: usize): i32 {
  const slots = aligned(free);
  const blank = aligned(slots + (<usize>(w + 2) << 2));
  const list = aligned(blank + <usize>w);
  reserve(list);
  memory.fill(slots, 0, <usize>(w + 2) << 2);
  memory.fill(blank, 0, <usize>w + 16);
  let l = list;
  let above = blank;
  // The row below the last is blank too: it closes what touches the bottom.
  for (let y = 0; y <= h; y++) {
    const row = y == h ? blank : bytes + <usize>y * <usize>w;
    reserve(l + (<usize>w << 2));
    l = rowFlips(above, row, y, w, l, slots);
    above = row;
  }
  return byColumn(list, l, h, w, slots);
}

/** Appends y << 16 | x for each column that differs from the row above, and counts it. */
@inline
function rowFlips(above: usize, row: usize, y: i32, w: i32, l: usize, slots: usize): usize {
  let x = 0;
  for (; x + 64 <= w; x += 64) {
    const p = above + <usize>x;
    const q = row + <usize>x;
    if (equal64(p, q)) continue;
    const d0 = v128.xor(zeros(p), zeros(q));
    const d1 = v128.xor(zeros(p + 16), zeros(q + 16));
    const d2 = v128.xor(zeros(p + 32), zeros(q + 32));
    const d3 = v128.xor(zeros(p + 48), zeros(q + 48));
    let bits =
      <u64>i8x16.bitmask(d0) |
      (<u64>i8x16.bitmask(d1) << 16) |
      (<u64>i8x16.bitmask(d2) << 32) |
      (<u64>i8x16.bitmask(d3) << 48);
    for (; bits; bits &= bits - 1) l = addToggle(x + <i32>ctz(bits), y, l, slots);
  }
  for (; x < w; x += 16) {
    let bits = <u32>i8x16.bitmask(v128.xor(zeros(above + <usize>x), zeros(row + <usize>x)));
    if (x + 16 > w) bits &= (1 << (w - x)) - 1;
    for (; bits; bits &= bits - 1) l = addToggle(x + <i32>ctz(bits), y, l, slots);
  }
  return l;
}

@inline
function addToggle(x: i32, y: i32, l: usize, slots: usize): usize {
  store<u32>(l, <u32>((y << 16) | x));
  const s = slots + (<usize>x << 2);
  store<i32>(s, load<i32>(s) + 1);
  return l + 4;
}

/** Counting sort by column; rows come in order already. */
@inline
function byColumn(list: usize, listEnd: usize, h: i32, w: i32, slots: usize): i32 {
  const flips = aligned(listEnd);
  const count = <i32>((listEnd - list) >> 2);
  const out = aligned(flips + (<usize>count << 2));
  reserve(out + (<usize>(count + 1) << 2));
  let at = flips;
  for (let x = 0; x < w; x++) {
    const s = slots + (<usize>x << 2);
    const size = <usize>load<u32>(s) << 2;
    store<u32>(s, <u32>at);
    at += size;
  }
  for (let l = list; l < listEnd; l += 4) {
    const packed = load<u32>(l);
    const x = packed & 0xffff;
    const s = slots + (<usize>x << 2);
    const to = load<u32>(s);
    store<u32>(to, x * h + (packed >> 16));
    store<u32>(s, to + 4);
  }
  setResult(out);
  return settle(flips, count, out, <u32>(h * w));
}

/** Column-major bytes to toggles, laid out behind `free`. Returns their number. */
export function encodeColumns(bytes: usize, length: i32, free: usize): i32 {
  const out = aligned(free);
  let o = out;
  let p = 0;
  let carry: u64 = 0;
  for (; p + 64 <= length; p += 64) {
    if ((p & 0xffff) == 0) reserve(o + 0x40100);
    const q = bytes + <usize>p;
    const z0 = zeros(q);
    const z1 = zeros(q + 16);
    const z2 = zeros(q + 32);
    const z3 = zeros(q + 48);
    const all = v128.and(v128.and(z0, z1), v128.and(z2, z3));
    const any = v128.or(v128.or(z0, z1), v128.or(z2, z3));
    // A whole stretch of background after background, or of foreground after foreground.
    if (carry ? !v128.any_true(any) : i8x16.all_true(all)) continue;
    const on = ~(
      <u64>i8x16.bitmask(z0) |
      (<u64>i8x16.bitmask(z1) << 16) |
      (<u64>i8x16.bitmask(z2) << 32) |
      (<u64>i8x16.bitmask(z3) << 48)
    );
    let bits = on ^ ((on << 1) | carry);
    carry = on >> 63;
    for (; bits; bits &= bits - 1) {
      store<u32>(o, <u32>(p + <i32>ctz(bits)));
      o += 4;
    }
  }
  reserve(o + 0x200);
  for (; p < length; p++) {
    const on = <u64>(load<u8>(bytes + <usize>p) != 0);
    if (on != carry) {
      store<u32>(o, <u32>p);
      o += 4;
    }
    carry = on;
  }
  store<u32>(o, <u32>length);
  setResult(out);
  return <i32>((o - out) >> 2) + 1;
}

/** Toggles to column-major bytes of 0 and 1. */
export function decodeColumns(toggles: usize, count: i32, length: i32, bytes: usize): void {
  memory.fill(bytes, 0, <usize>length);
  for (let i = 1; i < count; i += 2) {
    const p = toggles + (<usize>i << 2);
    const from = load<u32>(p - 4);
    memory.fill(bytes + from, 1, <usize>(load<u32>(p) - from));
  }
}

/**
 * Toggles to row-major bytes of 0 and 1, whatever was there before, but only in the rows of their box, which is written to
 * `boxAt`.
 */
export function decodeRows(toggles: usize, count: i32, h: i32, w: i32, bytes: usize, boxAt: usize): void {
  box(toggles, count, h, boxAt);
  const top = load<i32>(boxAt, 4);
  // The row behind the last takes the marks where columns end.
  const rows = min(load<i32>(boxAt, 12) + 1, h - top);
  memory.fill(bytes + <usize>top * <usize>w, 0, <usize>rows * <usize>w);
  markRuns(toggles, count, h, w, bytes);
  carry(bytes, w, 1);
  forget();
}
