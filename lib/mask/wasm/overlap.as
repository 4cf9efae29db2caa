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

/**
 * Pixels in both masks. Both lists start at a multiple of 8: bit 2 of a pointer into them then says whether the pixel
 * before that toggle is on.
 */
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
  const inside = walkFour(a + (<usize>skipA << 2), ca, b + (<usize>skipB << 2), cb);
  // On at the end in both only if neither was cut.
  return na & 1 || nb & 1 ? inside : inside + load<u32>(a + (<usize>(na - 1) << 2));
}

/**
 * Each load waits for the one before it, so four pieces of equal length are walked in step. A step takes one toggle;
 * one that ends an overlap is added, one that starts it is subtracted, both times 4.
 */
@inline
function walkFour(a: usize, ca: i32, b: usize, cb: i32): u32 {
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
  let sum: i32 = 0;
  for (let i = steps; i > 0; i--) {
    const x1 = load<i32>(a1);
    const y1 = load<i32>(b1);
    const was1 = a1 & b1 & 4;
    const take1 = <usize>(x1 <= y1) << 2;
    a1 += take1;
    b1 += 4 - take1;
    sum += min(x1, y1) * <i32>(was1 - (a1 & b1 & 4));

    const x2 = load<i32>(a2);
    const y2 = load<i32>(b2);
    const was2 = a2 & b2 & 4;
    const take2 = <usize>(x2 <= y2) << 2;
    a2 += take2;
    b2 += 4 - take2;
    sum += min(x2, y2) * <i32>(was2 - (a2 & b2 & 4));

    const x3 = load<i32>(a3);
    const y3 = load<i32>(b3);
    const was3 = a3 & b3 & 4;
    const take3 = <usize>(x3 <= y3) << 2;
    a3 += take3;
    b3 += 4 - take3;
    sum += min(x3, y3) * <i32>(was3 - (a3 & b3 & 4));

    const x4 = load<i32>(a4);
    const y4 = load<i32>(b4);
    const was4 = a4 & b4 & 4;
    const take4 = <usize>(x4 <= y4) << 2;
    a4 += take4;
    b4 += 4 - take4;
    sum += min(x4, y4) * <i32>(was4 - (a4 & b4 & 4));
  }
  for (let left = (ca + cb) & 3; left > 0; left--) {
    const x = load<i32>(a4);
    const y = load<i32>(b4);
    const was = a4 & b4 & 4;
    const take = <usize>(x <= y) << 2;
    a4 += take;
    b4 += 4 - take;
    sum += min(x, y) * <i32>(was - (a4 & b4 & 4));
  }
  // Positions stay under 2^28, so four times an area (with a missing end) still fits.
  return <u32>(sum >> 2);
}
