import { lzwPack } from './lzw';
import { packBits } from './pack-bits';

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

export { decodeTiff, type TiffImage } from './tiff-decode';
