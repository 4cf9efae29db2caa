/** Prefix codes by symbol, highest bit first. */
export interface HuffmanTable {
  codes: Uint16Array;
  lengths: Uint8Array;
}

/** How many codes there are of 1 to 16 bits, and their symbols in order. */
export function huffmanTable(counts: readonly number[], symbols: readonly number[]): HuffmanTable {
  const codes = new Uint16Array(256);
  const lengths = new Uint8Array(256);
  let code = 0;
  let at = 0;
  counts.forEach((count, i) => {
    for (let k = 0; k < count; k++) {
      const symbol = symbols[at++] as number;
      codes[symbol] = code++;
      lengths[symbol] = i + 1;
    }
    code <<= 1;
  });
  return { codes, lengths };
}

/** The tables that the JPEG standard gives for brightness (annex K.3). */
export const DC_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
export const DC_SYMBOLS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

export const AC_COUNTS = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125];
const FREQUENT = [
  0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
  0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72,
  0x82,
];
/** Sixteen runs of zeros by ten sizes; those that are rare have codes of 16 bits, in ascending order. */
const rare = Array.from({ length: 160 }, (_, i) => (Math.floor(i / 10) << 4) | ((i % 10) + 1)).filter(
  (symbol) => !FREQUENT.includes(symbol),
);
export const AC_SYMBOLS = [...FREQUENT, ...rare];

/** From low to high waves: place in the block by place in the file. */
export const ZIGZAG: readonly number[] = Array.from({ length: 64 }, (_, i) => i).sort((a, b) => {
  const [ay, ax, by, bx] = [a >> 3, a & 7, b >> 3, b & 7];
  const [da, db] = [ay + ax, by + bx];
  if (da !== db) return da - db;
  return da % 2 === 0 ? by - ay : ay - by;
});
