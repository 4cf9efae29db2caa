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
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as number;
    const symbol = token < 256 ? token : (lengthSymbol[token - 256] as number);
    bits.write(codes[symbol] as number, lengths[symbol] as number);
    if (token < 256) continue;
    bits.write(token - 256 - (firstLength[symbol] as number), extraBits[symbol] as number);
    bits.write(0, isFixed ? 5 : 1);
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
  const sequence = Uint8Array.from([...lengths.subarray(0, last), 1]);
  const items = runLengths(sequence);
  const counts = new Uint32Array(19);
  for (const { symbol } of items) counts[symbol] = (counts[symbol] as number) + 1;
  const code = prefixCode(counts, 7);
  let sent = 19;
  while (sent > 4 && code.lengths[LENGTH_ORDER[sent - 1] as number] === 0) sent--;
  const size = items.reduce((sum, item) => sum + (code.lengths[item.symbol] as number) + item.extra, 0);
  return {
    bits: 14 + 3 * sent + size,
    write(bits) {
      bits.write(last - 257, 5);
      bits.write(0, 5);
      bits.write(sent - 4, 4);
      for (const symbol of LENGTH_ORDER.slice(0, sent)) bits.write(code.lengths[symbol] as number, 3);
      for (const { symbol, value, extra } of items) {
        bits.write(code.codes[symbol] as number, code.lengths[symbol] as number);
        bits.write(value, extra);
      }
    },
  };
}

/** Code lengths with deflate's own repeats: 16 the last one 3-6 times, 17 and 18 zero 3-10 and 11-138 times. */
function runLengths(lengths: Uint8Array): { symbol: number; value: number; extra: number }[] {
  const items: { symbol: number; value: number; extra: number }[] = [];
  for (let i = 0; i < lengths.length; ) {
    const length = lengths[i] as number;
    let run = 1;
    while (i + run < lengths.length && lengths[i + run] === length) run++;
    if (length === 0 && run >= 11) {
      run = Math.min(run, 138);
      items.push({ symbol: 18, value: run - 11, extra: 7 });
    } else if (length === 0 && run >= 3) {
      items.push({ symbol: 17, value: run - 3, extra: 3 });
    } else if (run >= 4) {
      run = Math.min(run, 7);
      items.push({ symbol: length, value: 0, extra: 0 }, { symbol: 16, value: run - 4, extra: 2 });
    } else {
      run = 1;
      items.push({ symbol: length, value: 0, extra: 0 });
    }
    i += run;
  }
  return items;
}
