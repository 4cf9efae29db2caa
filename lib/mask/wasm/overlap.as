import { lowerBound } from './combine';

/**
 * How many of the first `diagonal` toggles of both, merged with those of a first among equals, come from a. This is
 * the merge path: it cuts a walk into pieces of equally many steps.
 */
@inline
function pathSplit(a: usize, na: i32, b: usize, nb: i32, diagonal: i32): i32 {
  let low = max(0, diagonal - nb);
  let high = min(diagonal, na);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(a + (<usize>middle << 2)) <= load<u32>(b + (<usize>(diagonal - 1 - middle) << 2))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Pixels in both masks. */
export function overlap(a: usize, na: i32, b: usize, nb: i32): u32 {
  // What lies before the later of both starts cannot overlap …
  const startA = load<u32>(a);
  const startB = load<u32>(b);
  const skipA = startA < startB ? lowerBound(a, na, startB) : 0;
  const skipB = startB < startA ? lowerBound(b, nb, startA) : 0;
  // … nor what lies behind the end of one that is off at its end. Among equals a goes first, so a keeps its equals.
  let lastA = na - 1;
  let lastB = nb - 1;
  if (na & 1 && na > 1) lastB = min(lastB, lowerBound(b, nb, load<u32>(a + (<usize>(na - 2) << 2))));
  if (nb & 1 && nb > 1) lastA = min(lastA, lowerBound(a, na, load<u32>(b + (<usize>(nb - 2) << 2)) + 1));
  const ca = lastA - skipA;
  const cb = lastB - skipB;
  if (na == 1 || nb == 1 || ca < 0 || cb < 0) return 0;
  return walkFour(a + (<usize>skipA << 2), skipA, ca, b + (<usize>skipB << 2), skipB, cb) +
    // On at the end in both only if neither was cut.
    (na & 1 || nb & 1 ? 0 : load<u32>(a + (<usize>(na - 1) << 2)));
}

/**
 * Each load waits for the one before it, so four pieces of equal length are walked in step. A step takes one toggle;
 * one that starts an overlap is subtracted, one that ends it is added.
 */
@inline
function walkFour(a: usize, skipA: i32, ca: i32, b: usize, skipB: i32, cb: i32): u32 {
  const steps = (ca + cb) >> 2;
  const i2 = pathSplit(a, ca, b, cb, steps);
  const i3 = pathSplit(a, ca, b, cb, steps * 2);
  const i4 = pathSplit(a, ca, b, cb, steps * 3);
  let a1 = a;
  let b1 = b;
  let a2 = a + (<usize>i2 << 2);
  let b2 = b + (<usize>(steps - i2) << 2);
  let a3 = a + (<usize>i3 << 2);
  let b3 = b + (<usize>(steps * 2 - i3) << 2);
  let a4 = a + (<usize>i4 << 2);
  let b4 = b + (<usize>(steps * 3 - i4) << 2);
  // All bits set where the pixel is on.
  let p1 = -(skipA & 1);
  let q1 = -(skipB & 1);
  let p2 = -((skipA + i2) & 1);
  let q2 = -((skipB + steps - i2) & 1);
  let p3 = -((skipA + i3) & 1);
  let q3 = -((skipB + steps * 2 - i3) & 1);
  let p4 = -((skipA + i4) & 1);
  let q4 = -((skipB + steps * 3 - i4) & 1);
  let sum: i32 = 0;
  for (let i = 0; i < steps; i++) {
    const x1 = load<i32>(a1);
    const y1 = load<i32>(b1);
    const t1 = -<i32>(x1 <= y1);
    const was1 = p1 & q1;
    p1 ^= t1;
    q1 ^= ~t1;
    const now1 = p1 & q1;
    sum += ((min(x1, y1) ^ now1) - now1) & (was1 ^ now1);
    a1 += <usize>(t1 & 4);
    b1 += <usize>(~t1 & 4);

    const x2 = load<i32>(a2);
    const y2 = load<i32>(b2);
    const t2 = -<i32>(x2 <= y2);
    const was2 = p2 & q2;
    p2 ^= t2;
    q2 ^= ~t2;
    const now2 = p2 & q2;
    sum += ((min(x2, y2) ^ now2) - now2) & (was2 ^ now2);
    a2 += <usize>(t2 & 4);
    b2 += <usize>(~t2 & 4);

    const x3 = load<i32>(a3);
    const y3 = load<i32>(b3);
    const t3 = -<i32>(x3 <= y3);
    const was3 = p3 & q3;
    p3 ^= t3;
    q3 ^= ~t3;
    const now3 = p3 & q3;
    sum += ((min(x3, y3) ^ now3) - now3) & (was3 ^ now3);
    a3 += <usize>(t3 & 4);
    b3 += <usize>(~t3 & 4);

    const x4 = load<i32>(a4);
    const y4 = load<i32>(b4);
    const t4 = -<i32>(x4 <= y4);
    const was4 = p4 & q4;
    p4 ^= t4;
    q4 ^= ~t4;
    const now4 = p4 & q4;
    sum += ((min(x4, y4) ^ now4) - now4) & (was4 ^ now4);
    a4 += <usize>(t4 & 4);
    b4 += <usize>(~t4 & 4);
  }
  for (let left = (ca + cb) & 3; left > 0; left--) {
    const x = load<i32>(a4);
    const y = load<i32>(b4);
    const t = -<i32>(x <= y);
    const was = p4 & q4;
    p4 ^= t;
    q4 ^= ~t;
    const now = p4 & q4;
    sum += ((min(x, y) ^ now) - now) & (was ^ now);
    a4 += <usize>(t & 4);
    b4 += <usize>(~t & 4);
  }
  return <u32>sum;
}
