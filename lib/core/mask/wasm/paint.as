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
