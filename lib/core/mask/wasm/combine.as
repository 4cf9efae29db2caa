import { runEndingBehind } from './runs';

/** Below this many runs, cutting the work in two costs more than it saves. */
const SPLIT_FROM: i32 = 48;

/**
 * The common runs of a (`runsA` pairs from a) and b, written as pairs to `out`. Common runs of two masks never touch.
 * Each load waits for the one before it, so the runs of a are cut in two halves that are walked in step; the second half
 * goes to `other` first, which needs as much room. Returns the end of what was written.
 */
@inline
function commonRuns(a: usize, runsA: i32, b: usize, runsB: i32, out: usize, other: usize): usize {
  const stop = a + (<usize>runsA << 3);
  if (runsA < SPLIT_FROM) return walk(a, stop, b, out);
  const middle = a + (<usize>(runsA >> 1) << 3);
  let a1 = a;
  let b1 = b;
  let o1 = out;
  let a2 = middle;
  let b2 = runEndingBehind(b, runsB, load<i32>(middle));
  let o2 = other;
  for (;;) {
    // A step uses up at most one run of a.
    let safe = <i32>(min(middle - a1, stop - a2) >> 3);
    if (safe < 4) break;
    for (; safe > 0; safe--) {
      const p1 = load<i32>(a1, 4);
      const q1 = load<i32>(b1, 4);
      const from1 = max(load<i32>(a1), load<i32>(b1));
      const to1 = min(p1, q1);
      store<i32>(o1, from1);
      store<i32>(o1, to1, 4);
      o1 += <usize>(to1 > from1) << 3;
      a1 += <usize>(p1 <= q1) << 3;
      b1 += <usize>(q1 <= p1) << 3;
      const p2 = load<i32>(a2, 4);
      const q2 = load<i32>(b2, 4);
      const from2 = max(load<i32>(a2), load<i32>(b2));
      const to2 = min(p2, q2);
      store<i32>(o2, from2);
      store<i32>(o2, to2, 4);
      o2 += <usize>(to2 > from2) << 3;
      a2 += <usize>(p2 <= q2) << 3;
      b2 += <usize>(q2 <= p2) << 3;
    }
  }
  o1 = walk(a1, middle, b1, o1);
  o2 = walk(a2, stop, b2, o2);
  memory.copy(o1, other, o2 - other);
  return o1 + (o2 - other);
}

@inline
function walk(a: usize, stop: usize, b: usize, out: usize): usize {
  while (a < stop) {
    const p = load<i32>(a, 4);
    const q = load<i32>(b, 4);
    const from = max(load<i32>(a), load<i32>(b));
    const to = min(p, q);
    store<i32>(out, from);
    store<i32>(out, to, 4);
    out += <usize>(to > from) << 3;
    a += <usize>(p <= q) << 3;
    b += <usize>(q <= p) << 3;
  }
  return out;
}

let result: usize = 0;

/** Where the toggles of the last `intersect`, `subtract` or `unite` start. */
export function combinedAt(): usize {
  return result;
}

/** Closes foreground runs with `end`; returns the number of toggles. */
@inline
function close(from: usize, to: usize, end: i32): i32 {
  result = from;
  if (to == from || load<i32>(to - 4) != end) {
    store<i32>(to, end);
    to += 4;
  }
  return <i32>((to - from) >> 2);
}

// All three need room for 2 · (na + nb) + 8 words at `out`.

export function intersect(a: usize, na: i32, b: usize, nb: i32, out: usize): i32 {
  const other = out + (<usize>(na + nb + 4) << 2);
  const end = load<i32>(a + (<usize>(na - 1) << 2));
  return close(out, commonRuns(a, na >> 1, b, nb >> 1, out, other), end);
}

/** What is in a and in the background of b. */
export function subtract(a: usize, na: i32, b: usize, nb: i32, out: usize): i32 {
  const other = out + (<usize>(na + nb + 4) << 2);
  const end = load<i32>(a + (<usize>(na - 1) << 2));
  return close(out, commonRuns(a, na >> 1, b - 4, (nb + 1) >> 1, out, other), end);
}

/** The background of the union is what the backgrounds have in common: its runs turned inside out. */
export function unite(a: usize, na: i32, b: usize, nb: i32, out: usize): i32 {
  const other = out + (<usize>(na + nb + 4) << 2);
  const end = load<i32>(a + (<usize>(na - 1) << 2));
  store<i32>(out, 0);
  const first = out + 4;
  const last = commonRuns(a - 4, (na + 1) >> 1, b - 4, (nb + 1) >> 1, first, other);
  const startsOff = last > first && load<i32>(first) == 0;
  return close(startsOff ? first + 4 : out, last, end);
}
