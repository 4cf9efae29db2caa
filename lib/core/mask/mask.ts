import { MaskError } from './errors';
import { MAX_PIXELS, MAX_SIDE } from './limits';

/**
 * An immutable binary mask. Pixels are read column by column (position = x · height + y) as alternating
 * runs that start with background; `toggles[i]` is the position where run i ends, so the last entry is
 * height · width. Only the first run may be empty, hence equal masks have equal arrays.
 */
export type Mask = {
  readonly height: number;
  readonly width: number;
  readonly toggles: Readonly<Uint32Array>;
};

export function checkSize(height: number, width: number, where = 'size'): void {
  if (!Number.isInteger(height) || !Number.isInteger(width) || height < 1 || width < 1)
    throw new MaskError(
      'bad-size',
      where,
      `height and width must be positive integers, got ${height}×${width}`,
    );
  if (height > MAX_SIDE || width > MAX_SIDE || height * width > MAX_PIXELS)
    throw new MaskError(
      'size-limit',
      where,
      `${height}×${width} is over the limit of ${MAX_SIDE} per side and ${MAX_PIXELS} pixels`,
    );
}

export function checkSameSize(a: Mask, b: Mask): void {
  if (a.height !== b.height || a.width !== b.width)
    throw new MaskError(
      'size-mismatch',
      'size',
      `masks of ${a.height}×${a.width} and ${b.height}×${b.width} do not go together`,
    );
}

export function emptyMask(height: number, width: number): Mask {
  checkSize(height, width);
  return { height, width, toggles: Uint32Array.of(height * width) };
}

export function fullMask(height: number, width: number): Mask {
  checkSize(height, width);
  return { height, width, toggles: Uint32Array.of(0, height * width) };
}

export function equals(a: Mask, b: Mask): boolean {
  if (a.height !== b.height || a.width !== b.width || a.toggles.length !== b.toggles.length) return false;
  for (let i = 0; i < a.toggles.length; i++) if (a.toggles[i] !== b.toggles[i]) return false;
  return true;
}

/** 32-bit FNV-1a over size and runs: equal masks hash alike on every machine. Not for security. */
export function hash(mask: Mask): number {
  let h = mixWord(mixWord(0x811c9dc5, mask.height), mask.width);
  for (let i = 0; i < mask.toggles.length; i++) h = mixWord(h, mask.toggles[i] as number);
  return h >>> 0;
}

function mixWord(h: number, word: number): number {
  h = Math.imul(h ^ (word & 255), 0x01000193);
  h = Math.imul(h ^ ((word >>> 8) & 255), 0x01000193);
  h = Math.imul(h ^ ((word >>> 16) & 255), 0x01000193);
  return Math.imul(h ^ (word >>> 24), 0x01000193);
}
