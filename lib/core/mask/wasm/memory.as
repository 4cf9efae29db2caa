// Every call lays its data out from the start of linear memory; nothing is kept between calls by this module.

/** Grows linear memory so that `end` is inside it, with slack for SIMD loads that read past the data. */
export function reserve(end: usize): void {
  const pages = <i32>((end + 64 + 0xffff) >>> 16);
  const missing = pages - memory.size();
  if (missing > 0) memory.grow(missing + (memory.size() >> 1));
}

/** The next multiple of 16. */
@inline
export function aligned(p: usize): usize {
  return (p + 15) & ~15;
}

/** Cancels equal neighbours among `count` ascending positions, drops one at `end`, and closes with `end`. */
export function settle(from: usize, count: i32, out: usize, end: u32): i32 {
  const last = from + (<usize>count << 2);
  let to = out;
  for (let p = from; p < last; p += 4) {
    const position = load<u32>(p);
    if (to > out && load<u32>(to - 4) == position) to -= 4;
    else {
      store<u32>(to, position);
      to += 4;
    }
  }
  if (to > out && load<u32>(to - 4) == end) to -= 4;
  store<u32>(to, end);
  return <i32>((to - out) >> 2) + 1;
}
