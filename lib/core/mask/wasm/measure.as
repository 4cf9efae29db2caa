/** Foreground pixels: the sum of the ends minus the sum of the starts, each in every other lane. */
export function area(toggles: usize, count: i32): u32 {
  const last = toggles + (<usize>(count >> 1) << 3);
  let p = toggles;
  let s0 = i32x4.splat(0);
  let s1 = i32x4.splat(0);
  let s2 = i32x4.splat(0);
  let s3 = i32x4.splat(0);
  for (; p + 64 <= last; p += 64) {
    s0 = i32x4.add(s0, v128.load(p));
    s1 = i32x4.add(s1, v128.load(p, 16));
    s2 = i32x4.add(s2, v128.load(p, 32));
    s3 = i32x4.add(s3, v128.load(p, 48));
  }
  // Up to seven pairs are left: what lies behind them is read too, and masked.
  const left = i32x4.splat(<i32>((last - p) >> 3));
  s0 = i32x4.add(s0, v128.and(v128.load(p), i32x4.gt_s(left, i32x4(0, 0, 1, 1))));
  s1 = i32x4.add(s1, v128.and(v128.load(p, 16), i32x4.gt_s(left, i32x4(2, 2, 3, 3))));
  s2 = i32x4.add(s2, v128.and(v128.load(p, 32), i32x4.gt_s(left, i32x4(4, 4, 5, 5))));
  s3 = i32x4.add(s3, v128.and(v128.load(p, 48), i32x4.gt_s(left, i32x4(6, 6, 7, 7))));
  const s = i32x4.add(i32x4.add(s0, s1), i32x4.add(s2, s3));
  return <u32>(
    i32x4.extract_lane(s, 1) + i32x4.extract_lane(s, 3) - i32x4.extract_lane(s, 0) - i32x4.extract_lane(s, 2)
  );
}

/** Writes x, y, width, height as i32 to `out`. */
export function box(toggles: usize, count: i32, h: i32, out: usize): void {
  const pairs = count >> 1;
  if (pairs == 0) {
    v128.store(out, i32x4.splat(0));
    return;
  }
  const last = toggles + (<usize>pairs << 3);
  const left = load<i32>(toggles) / h;
  let base = left * h;
  let right = left;
  let top = h;
  let bottom = 0;
  for (let p = toggles; p < last; p += 8) {
    const from = load<i32>(p);
    const to = load<i32>(p, 4);
    // Runs mostly advance by a column or none: dividing only for a jump.
    if (from - base >= h) {
      if (from - base < 2 * h) base += h;
      else base = (from / h) * h;
    }
    top = min(top, from - base);
    bottom = max(bottom, to - base);
    if (to - base > h) {
      // Over a column border: the bottom of one column and the top of the next.
      top = 0;
      bottom = h;
      base = ((to - 1) / h) * h;
    }
  }
  right = base / h;
  store<i32>(out, left);
  store<i32>(out, top, 4);
  store<i32>(out, right - left + 1, 8);
  store<i32>(out, min(bottom, h) - top, 12);
}
