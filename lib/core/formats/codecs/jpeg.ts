/** Prefix codes by symbol, highest bit first. */
interface HuffmanTable {
  codes: Uint16Array;
  lengths: Uint8Array;
}

/** How many codes there are of 1 to 16 bits, and their symbols in order. */
function huffmanTable(counts: readonly number[], symbols: readonly number[]): HuffmanTable {
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
const DC_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const DC_SYMBOLS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

const AC_COUNTS = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125];
const FREQUENT = [
  0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
  0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72,
  0x82,
];
/** Sixteen runs of zeros by ten sizes; those that are rare have codes of 16 bits, in ascending order. */
const rare = Array.from({ length: 160 }, (_, i) => (Math.floor(i / 10) << 4) | ((i % 10) + 1)).filter(
  (symbol) => !FREQUENT.includes(symbol),
);
const AC_SYMBOLS = [...FREQUENT, ...rare];

/** From low to high waves: place in the block by place in the file. */
const ZIGZAG: readonly number[] = Array.from({ length: 64 }, (_, i) => i).sort((a, b) => {
  const [ay, ax, by, bx] = [a >> 3, a & 7, b >> 3, b & 7];
  const [da, db] = [ay + ax, by + bx];
  if (da !== db) return da - db;
  return da % 2 === 0 ? by - ay : ay - by;
});

const dc = huffmanTable(DC_COUNTS, DC_SYMBOLS);
const ac = huffmanTable(AC_COUNTS, AC_SYMBOLS);

/** cos(k·π/16) as literals: the last digit of a computed cosine differs between machines. */
const COS = [
  1,
  0.9807852804032304,
  0.9238795325112867,
  0.8314696123025452,
  Math.SQRT1_2,
  0.5555702330196022,
  0.3826834323650898,
  0.19509032201612825,
];

/** basis[k · 8 + n]: the k-th wave at sample n, scaled so that both directions together keep the energy. */
const basis = Float64Array.from({ length: 64 }, (_, i) => {
  const k = i >> 3;
  const angle = ((2 * (i & 7) + 1) * k) % 32;
  const folded = angle > 16 ? 32 - angle : angle;
  const cosine = folded === 8 ? 0 : folded > 8 ? -(COS[16 - folded] as number) : (COS[folded] as number);
  return cosine * (k === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

/** A grey baseline JPEG that keeps a mask of 0 and 255 to within rounding: every quantiser is 1. */
export function encodeJpegMask(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const bits = new JpegBits();
  bits.bytes(head(width, height));
  const block = new Float64Array(64);
  let before = 0;
  for (let top = 0; top < height; top += 8)
    for (let left = 0; left < width; left += 8) {
      const isFlat = readBlock(pixels, width, height, left, top, block);
      if (isFlat) {
        const value = Math.round((block[0] as number) * 8);
        writeNumber(bits, dc, 0, value - before);
        bits.code(ac, 0);
        before = value;
      } else before = writeBlock(bits, transform(block), before);
    }
  return bits.end();
}

/** Samples around 0; the last row and column are repeated beyond the picture. True where all are the same. */
function readBlock(
  pixels: Uint8Array,
  width: number,
  height: number,
  left: number,
  top: number,
  block: Float64Array,
): boolean {
  let isFlat = true;
  for (let y = 0; y < 8; y++)
    for (let x = 0; x < 8; x++) {
      const at = Math.min(height - 1, top + y) * width + Math.min(width - 1, left + x);
      const value = (pixels[at] as number) - 128;
      block[8 * y + x] = value;
      if (value !== block[0]) isFlat = false;
    }
  return isFlat;
}

function transform(block: Float64Array): Float64Array {
  const rows = new Float64Array(64);
  for (let y = 0; y < 8; y++)
    for (let k = 0; k < 8; k++) {
      let sum = 0;
      for (let n = 0; n < 8; n++) sum += (basis[8 * k + n] as number) * (block[8 * y + n] as number);
      rows[8 * y + k] = sum;
    }
  const out = new Float64Array(64);
  for (let x = 0; x < 8; x++)
    for (let k = 0; k < 8; k++) {
      let sum = 0;
      for (let n = 0; n < 8; n++) sum += (basis[8 * k + n] as number) * (rows[8 * n + x] as number);
      out[8 * k + x] = sum;
    }
  return out;
}

function writeBlock(bits: JpegBits, waves: Float64Array, before: number): number {
  const first = Math.round(waves[0] as number);
  writeNumber(bits, dc, 0, first - before);
  let zeros = 0;
  for (let i = 1; i < 64; i++) {
    const value = Math.max(-1023, Math.min(1023, Math.round(waves[ZIGZAG[i] as number] as number)));
    if (value === 0) {
      zeros += 1;
      continue;
    }
    for (; zeros > 15; zeros -= 16) bits.code(ac, 0xf0);
    writeNumber(bits, ac, zeros, value);
    zeros = 0;
  }
  if (zeros > 0) bits.code(ac, 0);
  return first;
}

/** The symbol says how many bits follow; negative numbers are sent one lower. */
function writeNumber(bits: JpegBits, table: HuffmanTable, zeros: number, value: number): void {
  const size = value === 0 ? 0 : 32 - Math.clz32(Math.abs(value));
  bits.code(table, (zeros << 4) | size);
  if (size > 0) bits.write(value < 0 ? value + (1 << size) - 1 : value, size);
}

class JpegBits {
  readonly #out: number[] = [];
  #held = 0;
  #bits = 0;

  bytes(list: readonly number[]): void {
    this.#out.push(...list);
  }

  code(table: HuffmanTable, symbol: number): void {
    this.write(table.codes[symbol] as number, table.lengths[symbol] as number);
  }

  write(value: number, length: number): void {
    this.#held = (this.#held << length) | value;
    this.#bits += length;
    while (this.#bits >= 8) {
      const byte = (this.#held >>> (this.#bits - 8)) & 255;
      this.#out.push(byte);
      // 255 begins a marker; a zero behind it says that this one does not.
      if (byte === 255) this.#out.push(0);
      this.#bits -= 8;
    }
    this.#held &= (1 << this.#bits) - 1;
  }

  end(): Uint8Array {
    if (this.#bits > 0) this.write((1 << (8 - this.#bits)) - 1, 8 - this.#bits);
    this.#out.push(0xff, 0xd9);
    return Uint8Array.from(this.#out);
  }
}

function head(width: number, height: number): number[] {
  const segment = (marker: number, body: readonly number[]) => [
    0xff,
    marker,
    (body.length + 2) >> 8,
    (body.length + 2) & 255,
    ...body,
  ];
  return [
    0xff,
    0xd8,
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    ...segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    ...segment(0xc4, [0x00, ...DC_COUNTS, ...DC_SYMBOLS]),
    ...segment(0xc4, [0x10, ...AC_COUNTS, ...AC_SYMBOLS]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
  ];
}

/** Width and height of a JPEG, from its frame header; null where there is none. */
export function jpegSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
