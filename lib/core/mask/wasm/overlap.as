import { runEndingBehind } from './runs';

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
