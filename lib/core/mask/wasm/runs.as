// A mask in memory is ascending toggle positions, the last one height · width, with a 0 in front and two sentinels
// behind. Its foreground runs are the pairs (start, end) from its first toggle on; its background runs are the pairs
// from the 0 in front of it on. The sentinels stop a walk over either.

const SENTINEL: i32 = 0x7fffffff;

/** Puts the 0 and the sentinels around `count` toggles. */
export function frame(toggles: usize, count: i32): void {
  store<i32>(toggles - 4, 0);
  const behind = toggles + (<usize>count << 2);
  store<i32>(behind, SENTINEL);
  store<i32>(behind, SENTINEL, 4);
}

/** The first of `count` runs that ends behind `position`; the sentinels when there is none. */
@inline
export function runEndingBehind(runs: usize, count: i32, position: i32): usize {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<i32>(runs + (<usize>middle << 3), 4) <= position) low = middle + 1;
    else high = middle;
  }
  return runs + (<usize>low << 3);
}

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

/** Writes COCO's compressed string; needs 7 bytes per toggle at `out`. Returns its length. */
export function writeCounts(toggles: usize, count: i32, out: usize): i32 {
  let o = out;
  let position = 0;
  let previous = 0;
  let beforePrevious = 0;
  for (let i = 0; i < count; i++) {
    const end = load<i32>(toggles + (<usize>i << 2));
    const run = end - position;
    position = end;
    let value = i > 2 ? run - beforePrevious : run;
    beforePrevious = previous;
    previous = run;
    while (<u32>(value + 16) > 31) {
      store<u8>(o++, (value & 31) + 80);
      value >>= 5;
    }
    store<u8>(o++, (value & 31) + 48);
  }
  return <i32>(o - out);
}

/**
 * Reads a compressed string of `length` bytes into toggles at `out`. Returns how many, or 0 when anything at all is
 * wrong or unusual (an empty run inside): the TypeScript path then does the work and names the fault. Overwrites the
 * byte behind the string.
 */
export function readCounts(text: usize, length: i32, end: i32, out: usize): i32 {
  const last = text + <usize>length;
  // No character of a number: stops one that is cut off.
  store<u8>(last, 0);
  let t = text;
  let o = out;
  let position = 0;
  let previous = 0;
  let beforePrevious = 0;
  // Its sign remembers a run that is not positive or goes past the end.
  let fault = 0;
  while (t < last) {
    let group = <i32>load<u8>(t++) - 48;
    let run = (group << 27) >> 27;
    if (<u32>group > 31) {
      if (<u32>group > 63) return 0;
      run = group & 31;
      let shift = 5;
      do {
        group = <i32>load<u8>(t++) - 48;
        if (<u32>group > 63 || shift > 25) return 0;
        run |= (group & 31) << shift;
        shift += 5;
      } while (group & 32);
      // The sign is the highest bit that was read.
      run = (run << (32 - shift)) >> (32 - shift);
    }
    if (o - out > 8) run += beforePrevious;
    position += run;
    // Only the first run may be empty.
    fault |= (run - <i32>(o > out)) | (end - position);
    beforePrevious = previous;
    previous = run;
    store<i32>(o, position);
    o += 4;
  }
  return position == end && fault >= 0 ? <i32>((o - out) >> 2) : 0;
}
