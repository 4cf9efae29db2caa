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

/** Blanks what has been painted since the last time. */
export function erase(bytes: usize, w: i32): void {
  for (let y = top; y < bottom; y++)
    memory.fill(bytes + <usize>y * <usize>w + <usize>left, 0, <usize>(right - left));
  forget();
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
  for (let y = top + 1; y < bottom; y++) {
    const row = bytes + <usize>y * <usize>w;
    const above = row - <usize>w;
    let x = <usize>left;
    for (; x + 16 <= <usize>right; x += 16)
      v128.store(row + x, v128.xor(v128.load(row + x), v128.load(above + x)));
    for (; x < <usize>right; x++) store<u8>(row + x, load<u8>(row + x) ^ load<u8>(above + x));
  }
  if (planes > 1) flatten(bytes, w);
}

function flatten(bytes: usize, w: i32): void {
  const one = i8x16.splat(1);
  for (let y = top; y < bottom; y++) {
    const row = bytes + <usize>y * <usize>w;
    let x = <usize>left;
    for (; x + 16 <= <usize>right; x += 16) v128.store(row + x, i8x16.min_u(v128.load(row + x), one));
    for (; x < <usize>right; x++) store<u8>(row + x, min<u8>(load<u8>(row + x), 1));
  }
}
