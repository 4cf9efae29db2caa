import { concatBytes, crc32 } from './bytes';
import { deflateRuns, inflate } from './deflate';

interface PngImage {
  width: number;
  height: number;
  /** Samples per pixel: 1 grey or palette index, 2 grey and alpha, 3 RGB, 4 RGBA. */
  channels: 1 | 2 | 3 | 4;
  depth: 8 | 16;
  /** 256 colours of three bytes; `pixels` are then indices. */
  palette: Uint8Array | null;
  /** Row-major samples as stored: a 1-bit picture has 0 and 1, not 0 and 255. */
  pixels: Uint8Array | Uint16Array;
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const COLOUR_TYPE = { grey: 0, rgb: 2, palette: 3, greyAlpha: 4, rgba: 6 } as const;
const CHANNELS: Readonly<Record<number, 1 | 2 | 3 | 4>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Made for label maps and masks: rows that equal the row above cost nothing. The same bytes on every machine. */
export function encodePng(image: {
  width: number;
  height: number;
  channels: 1 | 3 | 4;
  depth: 8 | 16;
  palette?: Uint8Array;
  pixels: Uint8Array | Uint16Array;
}): Uint8Array<ArrayBuffer> {
  const { width, height, channels, depth, palette, pixels } = image;
  if (pixels.length !== width * height * channels)
    throw new Error(`${pixels.length} samples given for ${width}×${height}×${channels}`);
  const type = palette
    ? COLOUR_TYPE.palette
    : channels === 1
      ? COLOUR_TYPE.grey
      : channels === 3
        ? COLOUR_TYPE.rgb
        : COLOUR_TYPE.rgba;
  const rows = filterRows(depth === 16 ? bigEndian(pixels) : (pixels as Uint8Array), image);
  return pngFile({ width, height, depth, type, palette }, deflateRuns(rows));
}

/** A PNG from its compressed rows. */
export function pngFile(
  {
    width,
    height,
    depth,
    type,
    palette,
  }: { width: number; height: number; depth: number; type: number; palette?: Uint8Array },
  rows: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const size = (data: number) => CHUNK_OVERHEAD + data;
  const file = new Uint8Array(
    SIGNATURE.length + size(13) + (palette ? size(palette.length) : 0) + size(rows.length) + size(0),
  );
  file.set(SIGNATURE);
  const view = new DataView(file.buffer);
  const header = SIGNATURE.length + 8;
  view.setUint32(header, width);
  view.setUint32(header + 4, height);
  file[header + 8] = depth;
  file[header + 9] = type;
  let at = endChunk(view, SIGNATURE.length, IHDR, 13);
  if (palette) {
    file.set(palette, at + 8);
    at = endChunk(view, at, PLTE, palette.length);
  }
  file.set(rows, at + 8);
  at = endChunk(view, at, IDAT, rows.length);
  endChunk(view, at, IEND, 0);
  return file;
}

/** Length before, name and checksum of a chunk: bytes around its data. */
const CHUNK_OVERHEAD = 12;
/** Four letters as a number. */
const [IHDR, PLTE, IDAT, IEND] = [0x49484452, 0x504c5445, 0x49444154, 0x49454e44];

/** Puts length, name and checksum around data that is there; gives where the next chunk begins. */
function endChunk(view: DataView<ArrayBuffer>, at: number, name: number, length: number): number {
  view.setUint32(at, length);
  view.setUint32(at + 4, name);
  const end = at + 8 + length;
  view.setUint32(end, crc32(new Uint8Array(view.buffer, at + 4, length + 4)));
  return end + 4;
}

/** The first row as differences to the left, the others to the row above: label maps become mostly zero. */
function filterRows(
  bytes: Uint8Array,
  { width, height, channels, depth }: { width: number; height: number; channels: number; depth: number },
): Uint8Array {
  const pixel = (channels * depth) / 8;
  const row = width * pixel;
  const rows = new Uint8Array(height * (row + 1));
  if (height > 0) {
    rows[0] = 1;
    for (let i = 0; i < row; i++)
      rows[1 + i] = (bytes[i] as number) - (i < pixel ? 0 : (bytes[i - pixel] as number));
  }
  for (let y = 1; y < height; y++) {
    const to = y * (row + 1);
    const from = y * row;
    rows[to] = 2;
    for (let i = 0; i < row; i++)
      rows[to + 1 + i] = (bytes[from + i] as number) - (bytes[from - row + i] as number);
  }
  return rows;
}

function bigEndian(samples: Uint8Array | Uint16Array): Uint8Array {
  const bytes = new Uint8Array(2 * samples.length);
  for (let i = 0; i < samples.length; i++) {
    bytes[2 * i] = (samples[i] as number) >> 8;
    bytes[2 * i + 1] = (samples[i] as number) & 255;
  }
  return bytes;
}

/** Most pixels that are decoded when nobody says defaultValue: 2^26, a map of 8,192 × 8,192. */
const MAX_PIXELS = 2 ** 26;

/** Every kind of PNG but interlaced ones. Transparency of palettes and grey is left aside: samples are labels here. */
export async function decodePng(bytes: Uint8Array, maxPixels = MAX_PIXELS): Promise<PngImage> {
  if (!SIGNATURE.every((byte, i) => bytes[i] === byte)) throw new Error('this is no PNG file');
  const { header, palette, data } = readChunks(bytes);
  const { width, height, bits, type } = readHeader(header, maxPixels);
  if (type === COLOUR_TYPE.palette && !palette) throw new Error('the PNG file has no palette');
  const channels = CHANNELS[type] as 1 | 2 | 3 | 4;
  const row = Math.ceil((width * channels * bits) / 8);
  const raw = await inflate(data, height * (row + 1));
  if (raw.length !== height * (row + 1)) throw new Error('the PNG file ends before its last row');
  const rows = unfilter(raw, height, row, Math.max(1, (channels * bits) / 8));
  const count = width * channels;
  return {
    width,
    height,
    channels,
    depth: bits === 16 ? 16 : 8,
    palette: type === COLOUR_TYPE.palette ? palette : null,
    pixels:
      bits === 16 ? fromBigEndian(rows) : bits === 8 ? rows : unpackSamples(rows, height, row, count, bits),
  };
}

function readChunks(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: DataView | undefined;
  let palette: Uint8Array | null = null;
  const data: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    if (at + 12 + length > bytes.length) break;
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (view.getUint32(at + 8 + length) !== crc32(bytes.subarray(at + 4, at + 8 + length)))
      throw new Error(`the checksum of the PNG file's ${name} does not fit`);
    if (!header && name !== 'IHDR') throw new Error('the PNG file does not begin with its header');
    if (name === 'IHDR' && length === 13) header = new DataView(bytes.buffer, body.byteOffset, 13);
    else if (name === 'PLTE') {
      palette = new Uint8Array(768);
      palette.set(body.subarray(0, 768));
    } else if (name === 'IDAT') data.push(body);
    else if (name === 'IEND') {
      if (!header || data.length === 0) break;
      return { header, palette, data: concatBytes(data) };
    }
    at += 12 + length;
  }
  throw new Error('the PNG file is cut off');
}

function readHeader(header: DataView, maxPixels: number) {
  const width = header.getUint32(0);
  const height = header.getUint32(4);
  const bits = header.getUint8(8);
  const type = header.getUint8(9);
  if (!DEPTHS[type]?.includes(bits)) throw new Error(`a PNG of type ${type} has no ${bits} bits`);
  if (width === 0 || height === 0 || width * height > maxPixels)
    throw new Error(`a PNG of ${width}×${height} pixels is empty or over the limit of ${maxPixels}`);
  if (header.getUint8(10) !== 0 || header.getUint8(11) !== 0)
    throw new Error('the PNG file uses a compression or filter that does not exist');
  if (header.getUint8(12) !== 0)
    throw new Error('interlaced PNG files are not read: save it without interlacing');
  return { width, height, bits, type };
}

function fromBigEndian(rows: Uint8Array): Uint16Array {
  const samples = new Uint16Array(rows.length / 2);
  for (let i = 0; i < samples.length; i++)
    samples[i] = ((rows[2 * i] as number) << 8) | (rows[2 * i + 1] as number);
  return samples;
}

/** Samples of 1, 2 or 4 bits, the first in the highest bits; rows begin at whole bytes. */
function unpackSamples(
  rows: Uint8Array,
  height: number,
  row: number,
  count: number,
  bits: number,
): Uint8Array {
  const samples = new Uint8Array(height * count);
  const mask = (1 << bits) - 1;
  for (let y = 0; y < height; y++)
    for (let i = 0; i < count; i++) {
      const bit = i * bits;
      const byte = rows[y * row + (bit >> 3)] as number;
      samples[y * count + i] = (byte >> (8 - bits - (bit & 7))) & mask;
    }
  return samples;
}

/** Takes the filters off the rows of a PNG; `pixel` is the distance to the sample on the left, in bytes. */
function unfilter(raw: Uint8Array, height: number, row: number, pixel: number): Uint8Array {
  const bytes = new Uint8Array(height * row);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)] as number;
    const source = raw.subarray(y * (row + 1) + 1, (y + 1) * (row + 1));
    const line = bytes.subarray(y * row, (y + 1) * row);
    const above = y > 0 ? bytes.subarray((y - 1) * row, y * row) : new Uint8Array(row);
    unfilterRow(filter, source, line, above, pixel);
  }
  return bytes;
}

function unfilterRow(
  filter: number,
  source: Uint8Array,
  line: Uint8Array,
  above: Uint8Array,
  pixel: number,
): void {
  const left = (i: number) => (i < pixel ? 0 : (line[i - pixel] as number));
  if (filter === 0) line.set(source);
  else if (filter === 1) for (let i = 0; i < line.length; i++) line[i] = (source[i] as number) + left(i);
  else if (filter === 2)
    for (let i = 0; i < line.length; i++) line[i] = (source[i] as number) + (above[i] as number);
  else if (filter === 3)
    for (let i = 0; i < line.length; i++)
      line[i] = (source[i] as number) + ((left(i) + (above[i] as number)) >> 1);
  else if (filter === 4)
    for (let i = 0; i < line.length; i++) {
      const corner = i < pixel ? 0 : (above[i - pixel] as number);
      line[i] = (source[i] as number) + paeth(left(i), above[i] as number, corner);
    }
  else throw new Error(`the PNG file uses filter ${filter}, which does not exist`);
}

/** The neighbour that is nearest to left + above − corner; ties in this order. */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
