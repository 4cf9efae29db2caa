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
