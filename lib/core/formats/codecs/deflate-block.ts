import type { BitWriter } from './bit-writer';
import { type PrefixCode, prefixCode, withCodes } from './huffman';

export const SHORTEST = 3;
export const LONGEST = 258;
export const END = 256;
export const SYMBOLS = 286;

/** For each match length: its symbol, how many extra bits follow, and the first length of the symbol. */
export const lengthSymbol = new Uint16Array(LONGEST + 1);
const extraBits = new Uint8Array(SYMBOLS);
const firstLength = new Uint16Array(SYMBOLS);
for (let symbol = 257, length = SHORTEST; symbol < 285; symbol++) {
  const extra = symbol < 265 ? 0 : (symbol - 261) >> 2;
  extraBits[symbol] = extra;
  firstLength[symbol] = length;
  for (const end = length + (1 << extra); length < end; length++) lengthSymbol[length] = symbol;
}
lengthSymbol[LONGEST] = 285;
firstLength[285] = LONGEST;

/** The order in which deflate sends the lengths of the code that sends the lengths. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const fixed = withCodes(
  Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
);

/** Writes a block of tokens with the code that is shortest for them. */
export function writeBlock(bits: BitWriter, tokens: Uint16Array, counts: Uint32Array, isLast: boolean): void {
  const own = prefixCode(counts, 15);
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
  const code = prefixCode(counts, 7);
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
