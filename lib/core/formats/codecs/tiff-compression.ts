const CLEAR = 256;
const END = 257;
const FIRST = 258;
const MAX_CODE_BITS = 12;
/** The table is emptied before its last code, as every TIFF writer does. */
const FULL = 4094;

/** Where a code goes on with a byte: children[code << 8 | byte], 0 where it does not. Empty between calls. */
const children = new Uint16Array(4096 << 8);
const keys = new Uint32Array(4096);

function clearTable(next: number): void {
  for (let code = FIRST; code < next; code++) children[keys[code] as number] = 0;
}

/** TIFF's LZW: highest bit first, codes of 9 to 12 bits that grow one code early. */
export function lzwPack(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let out = new Uint8Array(256 + (bytes.length >> 2));
  let count = 0;
  let held = 0;
  let bits = 0;
  let width = 9;
  const send = (code: number) => {
    held = (held << width) | code;
    bits += width;
    while (bits >= 8) {
      if (count === out.length) {
        const bigger = new Uint8Array(2 * out.length);
        bigger.set(out);
        out = bigger;
      }
      out[count++] = (held >>> (bits - 8)) & 255;
      bits -= 8;
    }
    held &= (1 << bits) - 1;
  };
  let next = FIRST;
  send(CLEAR);
  let code = bytes.length > 0 ? (bytes[0] as number) : END;
  for (let i = 1; i < bytes.length; i++) {
    const key = (code << 8) | (bytes[i] as number);
    const child = children[key] as number;
    if (child !== 0) {
      code = child;
      continue;
    }
    send(code);
    children[key] = next;
    keys[next++] = key;
    if (next === FULL) {
      send(CLEAR);
      clearTable(next);
      next = FIRST;
      width = 9;
    } else if (next === 1 << width) width++;
    code = bytes[i] as number;
  }
  clearTable(next);
  if (bytes.length > 0) {
    send(code);
    if (++next === 1 << width && width < MAX_CODE_BITS) width++;
    send(END);
  } else send(END);
  if (bits > 0) {
    width = 8 - bits;
    send(0);
  }
  return out.slice(0, count);
}

/** Reads at most `size` bytes; a stream that holds fewer is refused. */
export function lzwUnpack(packed: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  // A code stands for a stretch of what was already written.
  const starts = new Uint32Array(4097);
  const lengths = new Uint32Array(4097);
  let next = FIRST;
  let width = 9;
  let count = 0;
  let before = -1;
  let beforeStart = 0;
  let beforeLength = 0;
  let held = 0;
  let bits = 0;
  for (let at = 0; count < size; ) {
    while (bits < width && at < packed.length) {
      held = ((held << 8) | (packed[at++] as number)) & 0xffffff;
      bits += 8;
    }
    if (bits < width) break;
    const code = (held >>> (bits - width)) & ((1 << width) - 1);
    bits -= width;
    if (code === END) break;
    if (code === CLEAR) {
      next = FIRST;
      width = 9;
      before = -1;
      continue;
    }
    const start = count;
    if (code < CLEAR) out[count++] = code;
    else {
      const isNew = code === next && before >= 0;
      if (code > next || (code === next && before < 0)) throw new Error('the LZW data is broken');
      const from = isNew ? beforeStart : (starts[code] as number);
      const length = isNew ? beforeLength + 1 : (lengths[code] as number);
      for (let i = 0; i < length && count < size; i++) out[count++] = out[from + i] as number;
    }
    if (before >= 0 && next < 4096) {
      starts[next] = beforeStart;
      lengths[next] = beforeLength + 1;
      next++;
      if (next + 1 === 1 << width && width < MAX_CODE_BITS) width++;
    }
    before = code;
    beforeStart = start;
    beforeLength = count - start;
  }
  if (count < size) throw new Error('the LZW data ends before the last pixel');
  return out;
}

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
