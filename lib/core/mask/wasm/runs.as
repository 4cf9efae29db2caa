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
