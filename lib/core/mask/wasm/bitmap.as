import { box } from './measure';
import { aligned, reserve, settle } from './memory';
import { carry, forget, markRuns } from './paint';
import { setResult } from './polygon';

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
    for (; bits; bits &= bits - 1) l = flip(x + <i32>ctz(bits), y, l, slots);
  }
  for (; x < w; x += 16) {
    let bits = <u32>i8x16.bitmask(v128.xor(zeros(above + <usize>x), zeros(row + <usize>x)));
    if (x + 16 > w) bits &= (1 << (w - x)) - 1;
    for (; bits; bits &= bits - 1) l = flip(x + <i32>ctz(bits), y, l, slots);
  }
  return l;
}

@inline
function flip(x: i32, y: i32, l: usize, slots: usize): usize {
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
