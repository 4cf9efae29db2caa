import type { Mask } from '@/lib/mask';

/** A mask and the value of its pixels. */
export interface PaintLayer {
  mask: Mask;
  value: number;
}

type Values = Uint8Array | Uint16Array | Int32Array;

/** One map per kind of number is kept and used again: allocating one for each of thousands of images costs more than painting. */
const scratch = { 8: new Uint8Array(), 16: new Uint16Array(), 32: new Int32Array() };

/**
 * A row-major label map; of layers that overlap the later one wins. Masks are runs down the columns, so runs are
 * filled in a column-major map and the map is turned once.
 */
export function paintMap(layers: readonly PaintLayer[], width: number, height: number, bits: 8): Uint8Array;
export function paintMap(layers: readonly PaintLayer[], width: number, height: number, bits: 16): Uint16Array;
export function paintMap(
  layers: readonly PaintLayer[],
  width: number,
  height: number,
  bits: 32,
  background?: number,
): Int32Array;
export function paintMap(
  layers: readonly PaintLayer[],
  width: number,
  height: number,
  bits: 8 | 16 | 32,
  background = 0,
): Values {
  const columns = paintColumns(layers, width, height, bits, background);
  const rows = new KINDS[bits](width * height);
  turn(columns, rows, width, height);
  return rows;
}

const KINDS = { 8: Uint8Array, 16: Uint16Array, 32: Int32Array };

/** The same column by column. Good until the next call: the map is used again. */
export function paintColumns(
  layers: readonly PaintLayer[],
  width: number,
  height: number,
  bits: 8 | 16 | 32,
  background = 0,
): Values {
  const size = width * height;
  if (scratch[bits].length < size) scratch[bits] = new KINDS[bits](size) as never;
  const columns: Values = scratch[bits].subarray(0, size);
  columns.fill(background);
  for (const { mask, value } of layers) {
    if (mask.width !== width || mask.height !== height)
      throw new Error(`a mask of ${mask.width}×${mask.height} is not of the image, ${width}×${height}`);
    const { toggles } = mask;
    for (let i = 1; i < toggles.length; i += 2)
      columns.fill(value, toggles[i - 1] as number, toggles[i] as number);
  }
  return columns;
}

/** Squares of this side stay in the processor's fast memory while they are turned. */
const BLOCK = 32;

function turn(columns: Values, rows: Values, width: number, height: number): void {
  for (let left = 0; left < width; left += BLOCK) {
    const right = Math.min(width, left + BLOCK);
    for (let top = 0; top < height; top += BLOCK) {
      const bottom = Math.min(height, top + BLOCK);
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) rows[y * width + x] = columns[x * height + y] as number;
    }
  }
}
