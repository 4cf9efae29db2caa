import type { PaintLayer } from '../paint';
import { paintColumns } from '../paint';
import { pngFile } from './png';
import { RunDeflater } from './run-deflater';

/** How the value of a pixel is written: one byte, two with the high one first, or three as red, green and blue. */
export type LabelSamples = 'grey-8' | 'grey-16' | 'rgb' | 'palette';

const SHIFTS: Readonly<Record<LabelSamples, readonly number[]>> = {
  'grey-8': [0],
  palette: [0],
  'grey-16': [8, 0],
  rgb: [0, 8, 16],
};

/**
 * A PNG of a label map, made from the runs of its masks: rows are stored as differences to the row above, and a pixel
 * differs from the one above only where a run begins or ends. So the work grows with the outlines, not with the area.
 * In RGB a value is red + 256 · green + 65,536 · blue, as COCO panoptic has it.
 */
export function labelPng(
  layers: readonly PaintLayer[],
  width: number,
  height: number,
  samples: LabelSamples,
  palette?: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const columns = paintColumns(
    layers,
    width,
    height,
    samples === 'rgb' ? 32 : samples === 'grey-16' ? 16 : 8,
  );
  const shifts = SHIFTS[samples];
  const deflater = new RunDeflater(256 + height);
  const first = Array.from({ length: width }, (_, x) => x);
  let above = 0;
  writeRow(deflater, 1, first, width, shifts, (x) => {
    const before = above;
    above = columns[x * height] as number;
    return [before, above];
  });
  const changes = changedPixels(layers, columns, width, height);
  for (let y = 1; y < height; y++)
    writeRow(deflater, 2, changes[y] ?? [], width, shifts, (x) => [
      columns[x * height + y - 1] as number,
      columns[x * height + y] as number,
    ]);
  const type = samples === 'rgb' ? 2 : samples === 'palette' ? 3 : 0;
  const depth = samples === 'grey-16' ? 16 : 8;
  return pngFile({ width, height, depth, type, palette }, deflater.end());
}

/** By row, the columns in which a pixel differs from the one above, from left to right. */
function changedPixels(
  layers: readonly PaintLayer[],
  columns: ArrayLike<number>,
  width: number,
  height: number,
): (number[] | undefined)[] {
  const rows = new Array<number[] | undefined>(height);
  const size = width * height;
  const isSingle = layers.length === 1;
  const places = isSingle ? (layers[0] as PaintLayer).mask.toggles : toggledPlaces(layers);
  let last = -1;
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    if (place === last || place >= size) continue;
    last = place;
    const y = place % height;
    if (y === 0 || columns[place] === columns[place - 1]) continue;
    const row = rows[y];
    if (row) row.push((place - y) / height);
    else rows[y] = [(place - y) / height];
  }
  return rows;
}

function toggledPlaces(layers: readonly PaintLayer[]): Uint32Array {
  const all = new Uint32Array(layers.reduce((sum, { mask }) => sum + mask.toggles.length, 0));
  let at = 0;
  for (const { mask } of layers) {
    all.set(mask.toggles, at);
    at += mask.toggles.length;
  }
  return all.sort();
}

/** A row of differences: the filter's number, then zeros but for the samples in which a pixel changed. */
function writeRow(
  deflater: RunDeflater,
  filter: number,
  changed: readonly number[],
  width: number,
  shifts: readonly number[],
  change: (x: number) => readonly [before: number, after: number],
): void {
  deflater.byte(filter);
  const bytes = shifts.length;
  let zeros = 0;
  let at = 0;
  for (const x of changed) {
    const [before, after] = change(x);
    zeros += (x - at) * bytes;
    for (let i = 0; i < bytes; i++) {
      const shift = shifts[i] as number;
      const difference = (((after >> shift) & 255) - ((before >> shift) & 255)) & 255;
      if (difference === 0) {
        zeros += 1;
        continue;
      }
      if (zeros > 0) deflater.repeat(0, zeros);
      zeros = 0;
      deflater.byte(difference);
    }
    at = x + 1;
  }
  zeros += (width - at) * bytes;
  if (zeros > 0) deflater.repeat(0, zeros);
}
