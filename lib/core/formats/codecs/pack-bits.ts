/**
 * PackBits, the simplest compression of TIFF: a count and that many bytes, or a negative count and one byte to repeat.
 * Each row is packed by itself. A label map, which is long runs of few values, comes out some forty times smaller.
 */
const LONGEST = 128;
/** Shorter runs cost more as runs, between bytes that are written one by one. */
const SHORTEST = 3;

/** Used again and again: allocating the worst case for each of thousands of maps costs more than packing. */
let scratch = new Uint8Array();

export function packBits(plain: Uint8Array, row: number): Uint8Array {
  // At worst, each stretch of 128 bytes costs one more.
  const worst = (plain.length / row) * (row + Math.ceil(row / LONGEST));
  if (scratch.length < worst) scratch = new Uint8Array(worst);
  const out = scratch;
  const words =
    plain.byteOffset % 4 === 0 ? new Int32Array(plain.buffer, plain.byteOffset, plain.length >> 2) : null;
  let used = 0;
  for (let start = 0; start < plain.length; start += row) {
    const end = start + row;
    let single = start;
    for (let at = start; at < end; ) {
      const value = plain[at] as number;
      const next = endOfRun(plain, words, at, end);
      if (next - at >= SHORTEST) {
        used = writeSingles(plain, single, at, out, used);
        used = writeRun(value, next - at, out, used);
        single = next;
      }
      at = next;
    }
    used = writeSingles(plain, single, end, out, used);
  }
  return out.slice(0, used);
}

/** Where the run that begins at `at` ends; four bytes at a time where memory allows. */
function endOfRun(plain: Uint8Array, words: Int32Array | null, at: number, end: number): number {
  const value = plain[at];
  let next = at + 1;
  if (words) {
    for (; next < end && next % 4 !== 0; next++) if (plain[next] !== value) return next;
    const word = Math.imul(value as number, 0x01010101);
    let place = next >> 2;
    const last = end >> 2;
    while (place < last && words[place] === word) place++;
    next = Math.max(next, place << 2);
  }
  while (next < end && plain[next] === value) next++;
  return next;
}

function writeRun(value: number, length: number, out: Uint8Array, used: number): number {
  let to = used;
  for (let left = length; left > 0; left -= LONGEST) {
    const count = Math.min(left, LONGEST);
    // A run of one is written as one byte that stands for itself.
    out[to++] = count === 1 ? 0 : 257 - count;
    out[to++] = value;
  }
  return to;
}

function writeSingles(plain: Uint8Array, from: number, end: number, out: Uint8Array, used: number): number {
  let to = used;
  for (let at = from; at < end; at += LONGEST) {
    const count = Math.min(LONGEST, end - at);
    out[to++] = count - 1;
    for (let i = 0; i < count; i++) out[to++] = plain[at + i] as number;
  }
  return to;
}

export function unpackBits(packed: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  let count = 0;
  for (let at = 0; at < packed.length && count < size; ) {
    const head = packed[at++] as number;
    if (head === 128) continue;
    if (head < 128) {
      const stretch = packed.subarray(at, at + Math.min(head + 1, size - count));
      out.set(stretch, count);
      count += stretch.length;
      at += head + 1;
    } else {
      const to = Math.min(size, count + 257 - head);
      out.fill(packed[at++] ?? 0, count, to);
      count = to;
    }
  }
  if (count < size) throw new Error('the TIFF file ends before its last pixel');
  return out;
}
