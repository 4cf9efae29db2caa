import { inflate } from './deflate';
import { lzwPack, lzwUnpack, packBits, unpackBits } from './tiff-compression';

const TAG = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripSizes: 279,
  planar: 284,
  sampleFormat: 339,
} as const;

const SHORT = 3;
const LONG = 4;
const HEADER = 8;
const COMPRESSION = { none: 1, lzw: 5, packbits: 32_773 } as const;

/**
 * One strip, little-endian, zero is black. Readers turn values of files without that last tag upside down without a word,
 * and know 32-bit integers only when they are signed.
 */
export function encodeTiff(image: {
  width: number;
  height: number;
  pixels: Uint8Array | Int32Array;
  compression?: keyof typeof COMPRESSION;
}): Uint8Array<ArrayBuffer> {
  const { width, height, pixels, compression = 'none' } = image;
  if (pixels.length !== width * height)
    throw new Error(`${pixels.length} values given for ${width}×${height} pixels`);
  const bits = pixels instanceof Int32Array ? 32 : 8;
  const plain = bits === 8 ? (pixels as Uint8Array) : littleEndian(pixels as Int32Array);
  const data =
    compression === 'lzw'
      ? lzwPack(plain)
      : compression === 'packbits'
        ? packBits(plain, (width * bits) / 8)
        : plain;
  const entries: [tag: number, type: number, value: number][] = [
    [TAG.width, LONG, width],
    [TAG.height, LONG, height],
    [TAG.bits, SHORT, bits],
    [TAG.compression, SHORT, COMPRESSION[compression]],
    [TAG.photometric, SHORT, 1],
    [TAG.stripOffsets, LONG, HEADER],
    [TAG.samples, SHORT, 1],
    [TAG.rowsPerStrip, LONG, height],
    [TAG.stripSizes, LONG, data.length],
    [TAG.planar, SHORT, 1],
    [TAG.sampleFormat, SHORT, bits === 32 ? 2 : 1],
  ];
  const directory = HEADER + data.length + (data.length & 1);
  const bytes = new Uint8Array(directory + 2 + 12 * entries.length + 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, directory, true);
  bytes.set(data, HEADER);
  view.setUint16(directory, entries.length, true);
  entries.forEach(([tag, type, value], i) => {
    const at = directory + 2 + 12 * i;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, 1, true);
    if (type === SHORT) view.setUint16(at + 8, value, true);
    else view.setUint32(at + 8, value, true);
  });
  return bytes;
}

const isLittleEndianMachine = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function littleEndian(values: Int32Array): Uint8Array {
  if (isLittleEndianMachine) return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    view.setInt32(4 * i, value, true);
  });
  return bytes;
}

interface TiffImage {
  width: number;
  height: number;
  /** Row-major. */
  pixels: Uint8Array | Uint16Array | Int32Array;
}

/** Tiles may be larger than a small picture, within reason. */
const MAX_TILE_PIXELS = 2 ** 18;
/** Most pixels that are decoded: 2^26. */
const MAX_PIXELS = 2 ** 26;
/** The tags that are asked for. Others are not read: a file may say thousands, each as long as itself. */
const READ_TAGS = new Set([
  256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 317, 322, 323, 324, 325, 339,
]);
const TYPE_SIZE: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4 };

/** Label maps: one integer a pixel, in strips or tiles, either byte order. Files that a label map never is are refused. */
export async function decodeTiff(bytes: Uint8Array, maxPixels = MAX_PIXELS): Promise<TiffImage> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49 && bytes[1] === 0x49;
  if (!little && !(bytes[0] === 0x4d && bytes[1] === 0x4d)) throw new Error('this is no TIFF file');
  try {
    if (view.getUint16(2, little) !== 42)
      throw new Error('only ordinary TIFF files are read, not BigTIFF: save it as an ordinary one');
    const tags = readTags(view, little);
    return await readPixels(bytes, layoutOf(tags, maxPixels), little);
  } catch (error) {
    if (error instanceof RangeError) throw new Error('the TIFF file is cut off');
    throw error;
  }
}

function readTags(view: DataView, little: boolean): Map<number, number[]> {
  const tags = new Map<number, number[]>();
  const at = view.getUint32(4, little);
  const count = view.getUint16(at, little);
  for (let i = 0; i < count; i++) {
    const entry = at + 2 + 12 * i;
    const size = TYPE_SIZE[view.getUint16(entry + 2, little)];
    const values = view.getUint32(entry + 4, little);
    if (!size || !READ_TAGS.has(view.getUint16(entry, little))) continue;
    if (values * size > view.byteLength) throw new Error('the TIFF file is cut off');
    const start = values * size <= 4 ? entry + 8 : view.getUint32(entry + 8, little);
    tags.set(
      view.getUint16(entry, little),
      Array.from({ length: values }, (_, k) =>
        size === 1
          ? view.getUint8(start + k)
          : size === 2
            ? view.getUint16(start + 2 * k, little)
            : view.getUint32(start + 4 * k, little),
      ),
    );
  }
  return tags;
}

type Layout = ReturnType<typeof layoutOf>;

function layoutOf(tags: ReadonlyMap<number, number[]>, maxPixels: number) {
  const one = (tag: number, otherwise?: number) => {
    const value = tags.get(tag)?.[0] ?? otherwise;
    if (value === undefined) throw new Error(`the TIFF file has no tag ${tag}`);
    return value;
  };
  const width = one(256);
  const height = one(257);
  if (width === 0 || height === 0 || width * height > maxPixels)
    throw new Error(`a TIFF of ${width}×${height} pixels is empty or over the limit of ${maxPixels}`);
  const bits = one(258, 1);
  if (![8, 16, 32].includes(bits)) throw new Error(`label maps of ${bits} bits are not read`);
  if (one(277, 1) !== 1) throw new Error('a label map has one value a pixel, this TIFF has several');
  if (one(339, 1) === 3) throw new Error('a label map has whole numbers, this TIFF has floating-point ones');
  if (one(274, 1) !== 1) throw new Error('the TIFF is turned by its Orientation tag: save it upright');
  if (one(266, 1) !== 1) throw new Error('TIFF files with reversed bits are not read');
  const isTiled = tags.has(322);
  const tileWidth = isTiled ? one(322) : width;
  const tileHeight = isTiled ? one(323) : Math.min(height, one(278, height));
  if (tileWidth < 1 || tileHeight < 1 || tileWidth * tileHeight > 4 * width * height + MAX_TILE_PIXELS)
    throw new Error(`strips of ${tileWidth}×${tileHeight} pixels are not possible`);
  const across = Math.ceil(width / tileWidth);
  const down = Math.ceil(height / tileHeight);
  // Tiles may name the same bytes again and again, so that the size of the file does not bound them.
  if (across * down * tileWidth * tileHeight > 4 * width * height + tileWidth * tileHeight + MAX_TILE_PIXELS)
    throw new Error(`tiles of ${tileWidth}×${tileHeight} pixels are far larger than the picture`);
  const offsets = tags.get(isTiled ? 324 : 273) ?? [];
  const sizes = tags.get(isTiled ? 325 : 279) ?? [];
  if (offsets.length < across * down || sizes.length < across * down)
    throw new Error('the TIFF file does not say where its pixels are');
  return {
    width,
    height,
    bits,
    isTiled,
    tileWidth,
    tileHeight,
    across,
    down,
    offsets,
    sizes,
    compression: one(259, 1),
    isDifference: one(317, 1) === 2,
    // White is zero: eight-bit values are stored upside down.
    isInverted: one(262, 1) === 0,
  };
}

async function readPixels(bytes: Uint8Array, layout: Layout, little: boolean): Promise<TiffImage> {
  const { width, height, bits, tileWidth, tileHeight, across, down } = layout;
  const size = bits / 8;
  const pixels = new ({ 8: Uint8Array, 16: Uint16Array, 32: Int32Array }[bits] as typeof Int32Array)(
    width * height,
  );
  for (let i = 0; i < across * down; i++) {
    const rows = layout.isTiled
      ? tileHeight
      : Math.min(tileHeight, height - Math.floor(i / across) * tileHeight);
    const from = layout.offsets[i] as number;
    const packed = bytes.subarray(from, from + (layout.sizes[i] as number));
    const piece = await unpack(packed, layout.compression, tileWidth * rows * size);
    const left = (i % across) * tileWidth;
    const top = Math.floor(i / across) * tileHeight;
    const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let y = 0; y < Math.min(tileHeight, height - top); y++) {
      let value = 0;
      for (let x = 0; x < Math.min(tileWidth, width - left); x++) {
        const at = (y * tileWidth + x) * size;
        const stored =
          size === 1
            ? view.getUint8(at)
            : size === 2
              ? view.getUint16(at, little)
              : view.getInt32(at, little);
        value = layout.isDifference ? value + stored : stored;
        pixels[(top + y) * width + left + x] = layout.isInverted && size === 1 ? 255 - value : value;
      }
    }
  }
  return { width, height, pixels };
}

async function unpack(packed: Uint8Array, compression: number, size: number): Promise<Uint8Array> {
  let plain: Uint8Array;
  if (compression === 1) plain = packed;
  else if (compression === 5) plain = lzwUnpack(packed, size);
  else if (compression === 8 || compression === 32946) plain = await inflate(packed, size);
  else if (compression === 32773) plain = unpackBits(packed, size);
  else throw new Error(`TIFF compression ${compression} is not read: save it with LZW or without`);
  if (plain.length < size) throw new Error('the TIFF file ends before its last pixel');
  return plain;
}
