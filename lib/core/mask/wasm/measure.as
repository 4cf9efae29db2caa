import { frame, runEndingBehind } from './runs';

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

/** With fewer steps than this left for the shortest piece, the pieces are finished one by one. */
const WORTH_SHARING: i32 = 4;

/**
 * Pixels in both masks. Each load waits for the one before it, so the runs of a are cut into four pieces, which are
 * walked in step with the runs of b from where each piece starts.
 */
export function overlap(a: usize, na: i32, b: usize, nb: i32): u32 {
  let runsA = na >> 1;
  const runsB = nb >> 1;
  if (runsA == 0 || runsB == 0) return 0;
  // Runs of a that lie before the first or behind the last of b do not matter.
  const last = a + (<usize>runsA << 3);
  a = runEndingBehind(a, runsA, load<i32>(b));
  const stop = min(last, runEndingBehind(a, <i32>((last - a) >> 3), load<i32>(b + (<usize>runsB << 3) - 4)) + 8);
  if (a >= stop) return 0;
  runsA = <i32>((stop - a) >> 3);
  const piece = <usize>(runsA >> 2) << 3;
  const l1 = a + piece;
  const l2 = l1 + piece;
  const l3 = l2 + piece;
  let a1 = a;
  let a2 = l1;
  let a3 = l2;
  let a4 = l3;
  let b1 = runEndingBehind(b, runsB, load<i32>(a1));
  let b2 = runEndingBehind(b, runsB, load<i32>(a2));
  let b3 = runEndingBehind(b, runsB, load<i32>(a3));
  let b4 = runEndingBehind(b, runsB, load<i32>(a4));
  let sum: i32 = 0;
  for (;;) {
    // A step uses up at most one run of a.
    let safe = <i32>(min(min(l1 - a1, l2 - a2), min(l3 - a3, stop - a4)) >> 3);
    if (safe < WORTH_SHARING) break;
    for (; safe > 0; safe--) {
      const p1 = load<i32>(a1, 4);
      const q1 = load<i32>(b1, 4);
      const d1 = min(p1, q1) - max(load<i32>(a1), load<i32>(b1));
      a1 += <usize>(p1 <= q1) << 3;
      b1 += <usize>(q1 <= p1) << 3;
      sum += d1 & ~(d1 >> 31);
      const p2 = load<i32>(a2, 4);
      const q2 = load<i32>(b2, 4);
      const d2 = min(p2, q2) - max(load<i32>(a2), load<i32>(b2));
      a2 += <usize>(p2 <= q2) << 3;
      b2 += <usize>(q2 <= p2) << 3;
      sum += d2 & ~(d2 >> 31);
      const p3 = load<i32>(a3, 4);
      const q3 = load<i32>(b3, 4);
      const d3 = min(p3, q3) - max(load<i32>(a3), load<i32>(b3));
      a3 += <usize>(p3 <= q3) << 3;
      b3 += <usize>(q3 <= p3) << 3;
      sum += d3 & ~(d3 >> 31);
      const p4 = load<i32>(a4, 4);
      const q4 = load<i32>(b4, 4);
      const d4 = min(p4, q4) - max(load<i32>(a4), load<i32>(b4));
      a4 += <usize>(p4 <= q4) << 3;
      b4 += <usize>(q4 <= p4) << 3;
      sum += d4 & ~(d4 >> 31);
    }
  }
  return <u32>(sum + walk(a1, l1, b1) + walk(a2, l2, b2) + walk(a3, l3, b3) + walk(a4, stop, b4));
}

@inline
function walk(a: usize, stop: usize, b: usize): i32 {
  let sum = 0;
  while (a < stop) {
    const p = load<i32>(a, 4);
    const q = load<i32>(b, 4);
    const d = min(p, q) - max(load<i32>(a), load<i32>(b));
    a += <usize>(p <= q) << 3;
    b += <usize>(q <= p) << 3;
    sum += d & ~(d >> 31);
  }
  return sum;
}

// A batch of n masks is a list of n entries: where the toggles start and how many there are, 2 × u32. Areas (u32 each)
// and boxes (4 × i32 each) lie where the caller wants them.

@inline
function toggles(list: usize, i: i32): usize {
  return <usize>load<u32>(list + (<usize>i << 3));
}

@inline
function count(list: usize, i: i32): i32 {
  return load<i32>(list + (<usize>i << 3), 4);
}

/** Readies a batch that has just been written. */
export function frameAll(list: usize, n: i32): void {
  for (let i = 0; i < n; i++) frame(toggles(list, i), count(list, i));
}

export function measureAreas(list: usize, n: i32, areas: usize): void {
  for (let i = 0; i < n; i++) store<u32>(areas + (<usize>i << 2), area(toggles(list, i), count(list, i)));
}

export function measureBoxes(list: usize, n: i32, h: i32, boxes: usize): void {
  for (let i = 0; i < n; i++) box(toggles(list, i), count(list, i), h, boxes + (<usize>i << 4));
}

@inline
function apart(a: usize, b: usize): bool {
  const ax = load<i32>(a);
  const ay = load<i32>(a, 4);
  const bx = load<i32>(b);
  const by = load<i32>(b, 4);
  return (
    bx >= ax + load<i32>(a, 8) ||
    ax >= bx + load<i32>(b, 8) ||
    by >= ay + load<i32>(a, 12) ||
    ay >= by + load<i32>(b, 12)
  );
}

/** What the common pixels of a and b are measured against. */
const UNION: i32 = 0;
const FIRST: i32 = 1;

/** Common pixels over those of the union, of the first, or twice over both added; NaN when there are none. */
export function overlapRatio(a: usize, na: i32, b: usize, nb: i32, against: i32): f64 {
  const both = overlap(a, na, b, nb);
  const areaA = area(a, na);
  if (against == FIRST) return <f64>both / <f64>areaA;
  const sum = areaA + area(b, nb);
  return against == UNION ? <f64>both / <f64>(sum - both) : <f64>(2 * both) / <f64>sum;
}

/** COCO's IoU of the first m masks with the n that follow, row by row; `crowd` has a byte for each of the n. */
export function matrix(list: usize, m: i32, n: i32, areas: usize, boxes: usize, crowd: usize, out: usize): void {
  for (let i = 0; i < m; i++) {
    const a = toggles(list, i);
    const na = count(list, i);
    const boxA = boxes + (<usize>i << 4);
    const areaA = load<u32>(areas + (<usize>i << 2));
    for (let j = 0; j < n; j++, out += 8) {
      const k = m + j;
      let value: f64 = 0;
      if (!apart(boxA, boxes + (<usize>k << 4))) {
        const both = overlap(a, na, toggles(list, k), count(list, k));
        const areaB = load<u32>(areas + (<usize>k << 2));
        const whole = load<u8>(crowd + <usize>j) ? areaA : areaA + areaB - both;
        if (both > 0) value = <f64>both / <f64>whole;
      }
      store<f64>(out, value);
    }
  }
}
