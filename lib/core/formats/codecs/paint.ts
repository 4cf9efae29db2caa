import type { Mask } from '@/lib/core/mask';
import { encodeTiff } from './tiff';

/** A mask and the value of its pixels. */
export interface PaintLayer {
  mask: Mask;
  value: number;
}

type Values = Uint8Array | Uint16Array | Int32Array;

/**
 * A row-major label map; of layers that overlap the later one wins. Masks are runs down the columns, and neighbouring
 * columns write to the same stretches of memory: turning a whole map would take longer.
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
  const map: Values = new KINDS[bits](width * height);
  if (background !== 0) map.fill(background);
  paintRows(map, layers, width, height);
  return map;
}

function paintRows(map: Values, layers: readonly PaintLayer[], width: number, height: number): void {
  for (const { mask, value } of layers) {
    checkSize(mask, width, height);
    paintRuns(map, mask, value);
  }
}

function paintRuns(map: Values, { width, height, toggles }: Mask, value: number): void {
  for (let i = 1; i < toggles.length; i += 2) {
    const to = toggles[i] as number;
    for (let from = toggles[i - 1] as number; from < to; ) {
      const x = Math.floor(from / height);
      const end = Math.min(to, (x + 1) * height);
      const last = (end - 1 - x * height) * width + x;
      for (let at = (from - x * height) * width + x; at <= last; at += width) map[at] = value;
      from = end;
    }
  }
}

function checkSize(mask: Mask, width: number, height: number): void {
  if (mask.width !== width || mask.height !== height)
    throw new Error(`a mask of ${mask.width}×${mask.height} is not of the image, ${width}×${height}`);
}

const KINDS = { 8: Uint8Array, 16: Uint16Array, 32: Int32Array };

/** One map per kind of number is kept and used again: allocating one for each of thousands of images costs more than painting. */
const scratch = { 8: new Uint8Array(), 16: new Uint16Array(), 32: new Int32Array() };

/** As `paintMap` with eight bits. Good until the next call: the map is used again. */
function paintScratchMap(layers: readonly PaintLayer[], width: number, height: number): Uint8Array {
  const map = scratchOf(8, width * height) as Uint8Array;
  map.fill(0);
  paintRows(map, layers, width, height);
  return map;
}

function scratchOf(bits: 8 | 16 | 32, size: number): Values {
  if (scratch[bits].length < size) scratch[bits] = new KINDS[bits](size) as never;
  return scratch[bits].subarray(0, size);
}

/** The same column by column. Good until the next call: the map is used again. */
export function paintColumns(
  layers: readonly PaintLayer[],
  width: number,
  height: number,
  bits: 8 | 16 | 32,
  background = 0,
): Values {
  const columns = scratchOf(bits, width * height);
  columns.fill(background);
  for (const { mask, value } of layers) {
    checkSize(mask, width, height);
    const { toggles } = mask;
    for (let i = 1; i < toggles.length; i += 2)
      columns.fill(value, toggles[i - 1] as number, toggles[i] as number);
  }
  return columns;
}

/**
 * A label map as the part-model code reads it. Its own script writes such files uncompressed; every reader built on
 * libtiff, as that of the code is, takes them packed, and a dataset is then not mostly zeros on the disk.
 */
export const encodePartMap = (layers: readonly PaintLayer[], width: number, height: number): Uint8Array =>
  encodeTiff({ width, height, pixels: paintScratchMap(layers, width, height), compression: 'packbits' });

/** The code looks at one pixel to see whether there is a mask: below zero there is none. */
export const noMap = (width: number, height: number): Uint8Array =>
  encodeTiff({ width, height, pixels: new Int32Array(width * height).fill(-1), compression: 'packbits' });
