/** Bits, the lowest of a byte first, into bytes that grow as needed. */
export class BitWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #count = 0;
  #held = 0;
  #bits = 0;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(Math.max(64, expected));
  }

  /** At most 24 bits at once. */
  write(value: number, bits: number): void {
    this.#held |= value << this.#bits;
    this.#bits += bits;
    if (this.#bits < 8) return;
    if (this.#count + 4 > this.#bytes.length) this.#grow();
    do {
      this.#bytes[this.#count++] = this.#held;
      this.#held >>>= 8;
      this.#bits -= 8;
    } while (this.#bits >= 8);
  }

  /** Fills the last byte with zeros and adds whole bytes. */
  end(...tail: number[]): Uint8Array<ArrayBuffer> {
    if (this.#bits > 0) this.write(0, 8 - this.#bits);
    if (this.#count + tail.length > this.#bytes.length) this.#grow();
    for (const byte of tail) this.#bytes[this.#count++] = byte;
    return this.#bytes.slice(0, this.#count);
  }

  #grow(): void {
    const bigger = new Uint8Array(2 * this.#bytes.length);
    bigger.set(this.#bytes);
    this.#bytes = bigger;
  }
}

/** Codes of a prefix code, lowest bit first as deflate sends them, with their lengths in bits; 0 where unused. */
interface PrefixCode {
  lengths: Uint8Array;
  codes: Uint16Array;
}

/** The shortest prefix code for these counts with no code longer than `most` bits. */
function buildPrefixCode(counts: Uint32Array, most: number): PrefixCode {
  let weights = counts;
  for (;;) {
    const lengths = huffmanLengths(weights);
    if (maxLength(lengths) <= most) return withCodes(lengths);
    // Flatter counts give a flatter tree; a few halvings always suffice, and the loss is far below a percent.
    weights = weights.map((count) => (count === 0 ? 0 : (count >> 1) + 1));
  }
}

function maxLength(lengths: Uint8Array): number {
  let most = 0;
  for (let symbol = 0; symbol < lengths.length; symbol++) most = Math.max(most, lengths[symbol] as number);
  return most;
}

/** Canonical codes for given lengths. */
function withCodes(lengths: Uint8Array): PrefixCode {
  const perLength = new Uint16Array(17);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length > 0) perLength[length] = (perLength[length] as number) + 1;
  }
  const next = new Uint16Array(17);
  for (let length = 1; length < 16; length++)
    next[length + 1] = ((next[length] as number) + (perLength[length] as number)) << 1;
  const codes = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length === 0) continue;
    const code = next[length] as number;
    next[length] = code + 1;
    codes[symbol] = reversed(code, length);
  }
  return { lengths, codes };
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** Huffman by two queues: leaves sorted by weight, and inner nodes, which come out sorted by themselves. */
function huffmanLengths(counts: Uint32Array): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const leaves = sortedLeaves(counts);
  if (leaves.length < 3) {
    for (const leaf of leaves) lengths[leaf % ALPHABET] = 1;
    return lengths;
  }
  const parents = new Int32Array(2 * leaves.length - 1);
  const weights = new Float64Array(parents.length);
  for (let i = 0; i < leaves.length; i++) weights[i] = Math.floor((leaves[i] as number) / ALPHABET);
  let leaf = 0;
  let inner = leaves.length;
  for (let node = leaves.length; node < parents.length; node++)
    for (let child = 0; child < 2; child++) {
      const takeLeaf =
        leaf < leaves.length && (inner >= node || (weights[leaf] as number) <= (weights[inner] as number));
      const lightest = takeLeaf ? leaf++ : inner++;
      parents[lightest] = node;
      weights[node] = (weights[node] as number) + (weights[lightest] as number);
    }
  const depths = new Uint8Array(parents.length);
  for (let node = parents.length - 2; node >= 0; node--)
    depths[node] = Math.min(255, (depths[parents[node] as number] as number) + 1);
  for (let i = 0; i < leaves.length; i++) lengths[(leaves[i] as number) % ALPHABET] = depths[i] as number;
  return lengths;
}

/** More symbols than any code here has. */
const ALPHABET = 1024;

/** The symbols that occur, by weight and then by number, as weight · ALPHABET + symbol. */
function sortedLeaves(counts: Uint32Array): Float64Array {
  const leaves = new Float64Array(counts.length);
  let found = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const weight = counts[symbol] as number;
    if (weight > 0) leaves[found++] = weight * ALPHABET + symbol;
  }
  const sorted = leaves.subarray(0, found);
  return found > INSERTION_SORT_LIMIT ? sorted.sort() : insertionSorted(sorted);
}

/** Up to here sorting by hand is faster than a call of the engine's sort. */
const INSERTION_SORT_LIMIT = 40;

function insertionSorted(values: Float64Array): Float64Array {
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number;
    let at = i;
    for (; at > 0 && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number;
    values[at] = value;
  }
  return values;
}

export const MIN_MATCH = 3;
export const MAX_MATCH = 258;
export const END = 256;
export const SYMBOLS = 286;

/** For each match length: its symbol, how many extra bits follow, and the first length of the symbol. */
export const lengthSymbol = new Uint16Array(MAX_MATCH + 1);
const extraBits = new Uint8Array(SYMBOLS);
const firstLength = new Uint16Array(SYMBOLS);
for (let symbol = 257, length = MIN_MATCH; symbol < 285; symbol++) {
  const extra = symbol < 265 ? 0 : (symbol - 261) >> 2;
  extraBits[symbol] = extra;
  firstLength[symbol] = length;
  for (const end = length + (1 << extra); length < end; length++) lengthSymbol[length] = symbol;
}
lengthSymbol[MAX_MATCH] = 285;
firstLength[285] = MAX_MATCH;

/** The order in which deflate sends the lengths of the code that sends the lengths. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const fixed = withCodes(
  Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
);

/** Writes a block of tokens with the code that is shortest for them. */
export function writeBlock(bits: BitWriter, tokens: Uint16Array, counts: Uint32Array, isLast: boolean): void {
  const own = buildPrefixCode(counts, 15);
  const header = codeHeader(own.lengths);
  const isFixed = cost(fixed, counts, 5) <= cost(own, counts, 1) + header.bits;
  bits.write(isLast ? 1 : 0, 1);
  bits.write(isFixed ? 1 : 2, 2);
  if (!isFixed) header.write(bits);
  const { lengths, codes } = isFixed ? fixed : own;
  const distanceBits = isFixed ? 5 : 1;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as number;
    if (token < 256) {
      bits.write(codes[token] as number, lengths[token] as number);
      continue;
    }
    // Code, extra bits of the length, and the distance, whose bits are zeros: 21 bits at most.
    const symbol = lengthSymbol[token - 256] as number;
    const length = lengths[symbol] as number;
    const extra = token - 256 - (firstLength[symbol] as number);
    bits.write(
      (codes[symbol] as number) | (extra << length),
      length + (extraBits[symbol] as number) + distanceBits,
    );
  }
  bits.write(codes[END] as number, lengths[END] as number);
}

/** Bits of a block's tokens; every match sends its distance, 1, in `distanceBits`. */
function cost({ lengths }: PrefixCode, counts: Uint32Array, distanceBits: number): number {
  let sum = 0;
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const each =
      (lengths[symbol] as number) + (symbol > END ? (extraBits[symbol] as number) + distanceBits : 0);
    sum += (counts[symbol] as number) * each;
  }
  return sum;
}

/** The description of a code: literal lengths, then one distance code of one bit. */
function codeHeader(lengths: Uint8Array): { bits: number; write(bits: BitWriter): void } {
  let last = SYMBOLS;
  while (last > 257 && lengths[last - 1] === 0) last--;
  const sequence = new Uint8Array(last + 1);
  sequence.set(lengths.subarray(0, last));
  sequence[last] = 1;
  const items = runLengths(sequence);
  const counts = new Uint32Array(19);
  for (let i = 0; i < items.length; i++) {
    const symbol = (items[i] as number) & 31;
    counts[symbol] = (counts[symbol] as number) + 1;
  }
  const code = buildPrefixCode(counts, 7);
  let sent = 19;
  while (sent > 4 && code.lengths[LENGTH_ORDER[sent - 1] as number] === 0) sent--;
  let size = 14 + 3 * sent;
  for (let symbol = 0; symbol < 19; symbol++)
    size += (counts[symbol] as number) * ((code.lengths[symbol] as number) + repeatBits(symbol));
  return {
    bits: size,
    write(bits) {
      bits.write(last - 257, 5);
      bits.write(0, 5);
      bits.write(sent - 4, 4);
      for (let i = 0; i < sent; i++) bits.write(code.lengths[LENGTH_ORDER[i] as number] as number, 3);
      for (let i = 0; i < items.length; i++) {
        const symbol = (items[i] as number) & 31;
        bits.write(code.codes[symbol] as number, code.lengths[symbol] as number);
        bits.write((items[i] as number) >> 5, repeatBits(symbol));
      }
    },
  };
}

/** Bits that say how often, behind a symbol that repeats. */
const repeatBits = (symbol: number): number => (symbol < 16 ? 0 : symbol === 16 ? 2 : symbol === 17 ? 3 : 7);

/**
 * Code lengths with deflate's own repeats: 16 the last one 3-6 times, 17 and 18 zero 3-10 and 11-138 times. An item is the
 * symbol, and in the bits above the fifth how often beyond the least.
 */
function runLengths(lengths: Uint8Array): Uint16Array {
  const items = new Uint16Array(lengths.length);
  let count = 0;
  for (let i = 0; i < lengths.length; ) {
    const length = lengths[i] as number;
    let run = 1;
    while (i + run < lengths.length && lengths[i + run] === length) run++;
    if (length === 0 && run >= 11) {
      run = Math.min(run, 138);
      items[count++] = 18 | ((run - 11) << 5);
    } else if (length === 0 && run >= 3) {
      items[count++] = 17 | ((run - 3) << 5);
    } else if (run >= 4) {
      run = Math.min(run, 7);
      items[count++] = length;
      items[count++] = 16 | ((run - 4) << 5);
    } else {
      run = 1;
      items[count++] = length;
    }
    i += run;
  }
  return items.subarray(0, count);
}
