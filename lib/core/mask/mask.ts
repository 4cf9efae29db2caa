import type { Box } from '@/lib/core/geometry';
import { rasterizePolygons } from './polygon';

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

export type MaskErrorCode =
  | 'bad-size'
  | 'size-limit'
  | 'size-mismatch'
  | 'bad-counts'
  | 'bad-string'
  | 'bad-coordinate'
  | 'too-few-points'
  | 'bad-bitmap'
  | 'bad-shape'
  | 'bad-argument'
  | 'no-masks';

/** What is wrong (`code`, message) and where: the path of the offending value, such as `polygons[2][7]`. */
export class MaskError extends Error {
  override readonly name = 'MaskError';

  constructor(
    readonly code: MaskErrorCode,
    readonly where: string,
    readonly problem: string,
  ) {
    super(`${where}: ${problem}`);
  }

  /** The same error seen from the value that contains the offending one. */
  inside(outer: string): MaskError {
    return new MaskError(this.code, `${outer}.${this.where}`, this.problem);
  }
}

/** Longest side of a mask, in pixels. */
export const MAX_SIDE = 65_535;

/** Largest height × width. A byte per pixel of this is 256 MiB, and every position stays a small integer. */
export const MAX_PIXELS = 2 ** 28;

/**
 * Largest absolute polygon coordinate, in pixels. COCO's rule works on coordinates times five in 32-bit
 * integers; below this bound neither a coordinate nor a difference of two can overflow them.
 */
export const MAX_COORDINATE = 100_000_000;

/** Foreground as vertical spans: those of column x are at indices starts[x] … starts[x + 1] − 1; bottoms are exclusive. */
export type ColumnSpans = {
  readonly starts: Uint32Array;
  readonly tops: Uint32Array;
  readonly bottoms: Uint32Array;
};

/** Cuts the runs at column borders. */
export function columnSpans(mask: Mask): ColumnSpans {
  const { height, width, toggles } = mask;
  const most = (toggles.length >> 1) + width;
  const starts = new Uint32Array(width + 1);
  const tops = new Uint32Array(most);
  const bottoms = new Uint32Array(most);
  let count = 0;
  let column = 0;
  for (let i = 1; i < toggles.length; i += 2) {
    let from = toggles[i - 1] as number;
    const to = toggles[i] as number;
    while (from < to) {
      const x = Math.floor(from / height);
      while (column < x) starts[++column] = count;
      const base = x * height;
      const end = Math.min(to, base + height);
      tops[count] = from - base;
      bottoms[count++] = end - base;
      from = end;
    }
  }
  while (column < width) starts[++column] = count;
  return { starts, tops: tops.subarray(0, count), bottoms: bottoms.subarray(0, count) };
}

/** Collects foreground stretches in ascending order of their first position; touching ones become one run. */
export class RunBuilder {
  #toggles: Uint32Array<ArrayBuffer>;
  #count = 0;

  constructor(expected = 0) {
    this.#toggles = new Uint32Array(Math.max(64, expected + 3));
  }

  add(from: number, to: number): void {
    if (from >= to) return;
    const last = this.#count - 1;
    if (last >= 0 && from <= (this.#toggles[last] as number)) {
      if (to > (this.#toggles[last] as number)) this.#toggles[last] = to;
      return;
    }
    if (this.#count + 3 > this.#toggles.length) this.#grow();
    this.#toggles[this.#count++] = from;
    this.#toggles[this.#count++] = to;
  }

  build(height: number, width: number): Mask {
    const end = height * width;
    let count = this.#count;
    if (count === 0 || this.#toggles[count - 1] !== end) this.#toggles[count++] = end;
    return { height, width, toggles: this.#toggles.slice(0, count) };
  }

  #grow(): void {
    const bigger = new Uint32Array(2 * this.#toggles.length);
    bigger.set(this.#toggles);
    this.#toggles = bigger;
  }
}

/** A box is the polygon of its four corners, as in COCO. */
export function rasterizeBox(box: Box, height: number, width: number): Mask {
  const [x, y, w, h] = box;
  return rasterizePolygons([[x, y, x, y + h, x + w, y + h, x + w, y]], height, width);
}

/** Words that are kept at most: a mask of many more is rare, and its memory is given back. */
const MAX_WORDS = 2 ** 20;

/** Words for the length of one call, used again by the next: allocating them costs as much as filling them. */
export class Scratch {
  #words = new Uint32Array(0);

  /** With whatever the last call left in them. */
  take(count: number): Uint32Array {
    if (count > MAX_WORDS) return new Uint32Array(count);
    if (count > this.#words.length) this.#words = new Uint32Array(Math.min(MAX_WORDS, 2 * count));
    return this.#words.subarray(0, count);
  }

  zeros(count: number): Uint32Array {
    return this.take(count).fill(0);
  }
}
