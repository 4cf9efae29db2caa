import { MaskError } from './errors';
import { kernel } from './kernel';
import { checkSize, type Mask } from './mask';

/** Row-major bytes, 0 or 1. */
export function toBitmap(mask: Mask): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(mask.height * mask.width);
  kernel().decodeRows(mask.toggles, mask.height, mask.width, bytes);
  return bytes;
}

/** Column-major bytes, 0 or 1: what NumPy calls Fortran order. */
export function toColumnBitmap(mask: Mask): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(mask.height * mask.width);
  kernel().decodeColumns(mask.toggles, bytes);
  return bytes;
}

/** Reads row-major bytes; every non-zero byte is foreground. */
export function fromBitmap(bytes: ArrayLike<number>, height: number, width: number): Mask {
  const checked = checkBytes(bytes, height, width);
  return { height, width, toggles: kernel().encodeRows(checked, height, width) };
}

/** Reads column-major bytes; every non-zero byte is foreground. */
export function fromColumnBitmap(bytes: ArrayLike<number>, height: number, width: number): Mask {
  const checked = checkBytes(bytes, height, width);
  return { height, width, toggles: kernel().encodeColumns(checked) };
}

/** Row-major bits, eight pixels a byte, the first in the highest bit, no padding between rows (NumPy's packbits). */
export function toPackedBits(mask: Mask): Uint8Array<ArrayBuffer> {
  const bytes = toBitmap(mask);
  const packed = new Uint8Array(Math.ceil(bytes.length / 8));
  for (let i = 0; i < bytes.length; i++)
    if (bytes[i]) packed[i >> 3] = (packed[i >> 3] as number) | (128 >> (i & 7));
  return packed;
}

/** Reads what `toPackedBits` writes; the bits after the last pixel must be 0. */
export function fromPackedBits(packed: ArrayLike<number>, height: number, width: number): Mask {
  checkSize(height, width);
  const pixels = height * width;
  if (packed.length !== Math.ceil(pixels / 8))
    throw new MaskError('bad-bitmap', 'packed', `${packed.length} bytes given for ${height}×${width} bits`);
  const bytes = new Uint8Array(pixels);
  for (let i = 0; i < pixels; i++) bytes[i] = ((packed[i >> 3] as number) >> (7 - (i & 7))) & 1;
  if (pixels % 8 && ((packed[packed.length - 1] as number) & (255 >> (pixels % 8))) !== 0)
    throw new MaskError('bad-bitmap', `packed[${packed.length - 1}]`, 'bits after the last pixel are set');
  return fromBitmap(bytes, height, width);
}

/** ImageData, or anything like it: 4 bytes a pixel, row-major. */
export type RgbaImage = { readonly data: ArrayLike<number>; readonly height: number; readonly width: number };

/** A pixel is foreground when it is at least half opaque; colours are ignored. */
const HALF_OPAQUE = 128;

export function fromRgba(image: RgbaImage): Mask {
  const { data, height, width } = image;
  checkSize(height, width);
  if (data.length !== 4 * height * width)
    throw new MaskError(
      'bad-bitmap',
      'data',
      `${data.length} bytes given for ${height}×${width} RGBA pixels`,
    );
  const bytes = new Uint8Array(height * width);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (data[4 * i + 3] as number) >= HALF_OPAQUE ? 1 : 0;
  return fromBitmap(bytes, height, width);
}

/** The foreground in one colour on transparent ground. */
export function toRgba(
  mask: Mask,
  colour: readonly [red: number, green: number, blue: number, alpha: number],
): Uint8ClampedArray<ArrayBuffer> {
  const bytes = toBitmap(mask);
  const data = new Uint8ClampedArray(4 * bytes.length);
  for (let i = 0; i < bytes.length; i++) if (bytes[i]) data.set(colour, 4 * i);
  return data;
}

function checkBytes(bytes: ArrayLike<number>, height: number, width: number): Uint8Array {
  checkSize(height, width);
  if (bytes.length !== height * width)
    throw new MaskError(
      'bad-bitmap',
      'bytes',
      `${bytes.length} bytes given for ${height}×${width} = ${height * width} pixels`,
    );
  if (bytes instanceof Uint8Array) return bytes;
  return Uint8Array.from(bytes, (value) => (value === 0 ? 0 : 1));
}
