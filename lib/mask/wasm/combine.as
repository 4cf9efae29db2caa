// Masks are ascending toggle positions, the last one being height · width. After i toggles the pixel is i & 1.

/** First index whose toggle is at or past `position`. */
@inline
export function lowerBound(a: usize, count: i32, position: u32): i32 {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(a + (<usize>middle << 2)) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Below this many toggles in all, splitting a walk in two costs more than it saves. */
const SPLIT_FROM: i32 = 96;

/**
 * Walks two masks at once and writes where `table` (see ../algebra.ts) changes. Both lists start at a multiple of 8:
 * bit 2 of a pointer into them then says whether the pixel before that toggle is on. Each load waits for the one before
 * it, so a long walk runs as two independent ones in step, from the start and from the middle. Needs room for
 * na + nb + 4 toggles at `out`.
 */
export function combine(a: usize, na: i32, b: usize, nb: i32, table: i32, out: usize): i32 {
  const end = load<u32>(a + (<usize>(na - 1) << 2));
  if (na + nb < SPLIT_FROM) return walk(a, b, table, 0, end, end, out);
  let ia = na >> 1;
  let ib = nb >> 1;
  let middle: u32;
  if (na >= nb) {
    middle = load<u32>(a + (<usize>ia << 2));
    ib = lowerBound(b, nb, middle);
  } else {
    middle = load<u32>(b + (<usize>ib << 2));
    ia = lowerBound(a, na, middle);
  }
  const second = out + (<usize>(ia + ib + 2) << 2);
  let a1 = a;
  let b1 = b;
  let o1 = out;
  let p1 = 0;
  let a2 = a + (<usize>ia << 2);
  let b2 = b + (<usize>ib << 2);
  let o2 = second;
  let p2 = value(a2, b2, table);
  for (;;) {
    const x1 = load<u32>(a1);
    const y1 = load<u32>(b1);
    const m1 = min(x1, y1);
    const x2 = load<u32>(a2);
    const y2 = load<u32>(b2);
    const m2 = min(x2, y2);
    if (m1 >= middle || m2 == end) break;
    a1 += <usize>(x1 <= y1) << 2;
    b1 += <usize>(y1 <= x1) << 2;
    const n1 = value(a1, b1, table);
    store<u32>(o1, m1);
    o1 += <usize>(n1 ^ p1);
    p1 = n1;
    a2 += <usize>(x2 <= y2) << 2;
    b2 += <usize>(y2 <= x2) << 2;
    const n2 = value(a2, b2, table);
    store<u32>(o2, m2);
    o2 += <usize>(n2 ^ p2);
    p2 = n2;
  }
  // One of the two is done; the other goes on alone.
  const first = <i32>((o1 - out) >> 2) + walk(a1, b1, table, p1, middle, end, o1) - 1;
  const rest = <i32>((o2 - second) >> 2) + walk(a2, b2, table, p2, end, end, o2);
  memory.copy(out + (<usize>first << 2), second, <usize>rest << 2);
  return first + rest;
}

/** 4 where the table says on, else 0: the two pointers' bits 2 choose the table's entry. */
@inline
function value(a: usize, b: usize, table: i32): i32 {
  return (table << 2 >> (<i32>(a & 4) >> 2 | <i32>(b & 4) >> 1)) & 4;
}

/** One walk up to `limit`; closes with `end` and counts it. */
@inline
function walk(a: usize, b: usize, table: i32, before: i32, limit: u32, end: u32, out: usize): i32 {
  let o = out;
  for (;;) {
    const x = load<u32>(a);
    const y = load<u32>(b);
    const m = min(x, y);
    if (m >= limit) break;
    a += <usize>(x <= y) << 2;
    b += <usize>(y <= x) << 2;
    const now = value(a, b, table);
    store<u32>(o, m);
    o += <usize>(now ^ before);
    before = now;
  }
  store<u32>(o, end);
  return <i32>((o - out) >> 2) + 1;
}
