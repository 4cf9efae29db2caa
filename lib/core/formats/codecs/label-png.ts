import { crop, fromBitmap, type Mask } from '@/lib/core/mask';
import { RunDeflater } from './deflate';
import { type PaintLayer, paintColumns } from './paint';
import { decodePng, pngFile } from './png';

/** How the value of a pixel is written: one byte, two with the high one first, or three as red, green and blue. */
type LabelSamples = 'grey-8' | 'grey-16' | 'rgb' | 'palette';

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
export function encodeLabelPng(
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
  const row = new RowWriter(new RunDeflater(256 + height), width, SHIFTS[samples]);
  row.begin(1);
  for (let x = 0; x < width; x++)
    row.pixel(x, x === 0 ? 0 : (columns[(x - 1) * height] as number), columns[x * height] as number);
  row.end();
  const { starts, xs } = changedPixels(layers, columns, width, height);
  for (let y = 1; y < height; y++) {
    row.begin(2);
    const end = starts[y + 1] as number;
    for (let i = starts[y] as number; i < end; i++) {
      const x = xs[i] as number;
      const place = x * height + y;
      row.pixel(x, columns[place - 1] as number, columns[place] as number);
    }
    row.end();
  }
  const type = samples === 'rgb' ? 2 : samples === 'palette' ? 3 : 0;
  const depth = samples === 'grey-16' ? 16 : 8;
  return pngFile({ width, height, depth, type, palette }, row.deflater.end());
}

/** The columns in which a pixel differs from the one above, from left to right: those of row y at starts[y] … starts[y + 1] − 1. */
function changedPixels(
  layers: readonly PaintLayer[],
  columns: ArrayLike<number>,
  width: number,
  height: number,
): { starts: Uint32Array; xs: Uint32Array } {
  const size = width * height;
  const places = layers.length === 1 ? (layers[0] as PaintLayer).mask.toggles : toggledPlaces(layers);
  // Column and row of each change in turn; there are as many as toggles at most.
  const changes = new Uint32Array(2 * places.length);
  const starts = new Uint32Array(height + 2);
  let count = 0;
  let last = -1;
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    if (place === last || place >= size) continue;
    last = place;
    const y = place % height;
    if (y === 0 || columns[place] === columns[place - 1]) continue;
    changes[count++] = (place - y) / height;
    changes[count++] = y;
    starts[y + 2] = (starts[y + 2] as number) + 1;
  }
  for (let y = 2; y < starts.length; y++) starts[y] = (starts[y] as number) + (starts[y - 1] as number);
  const xs = new Uint32Array(count / 2);
  // Counts of a row move its end from the start to where it belongs.
  for (let i = 0; i < count; i += 2) {
    const y = changes[i + 1] as number;
    const at = starts[y + 1] as number;
    xs[at] = changes[i] as number;
    starts[y + 1] = at + 1;
  }
  return { starts, xs };
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

/** Rows of differences: the filter's number, then zeros but for the samples in which a pixel changed. */
class RowWriter {
  #zeros = 0;
  #at = 0;

  constructor(
    readonly deflater: RunDeflater,
    private readonly width: number,
    private readonly shifts: readonly number[],
  ) {}

  begin(filter: number): void {
    this.deflater.byte(filter);
    this.#zeros = 0;
    this.#at = 0;
  }

  /** From left to right; pixels between two of them did not change. */
  pixel(x: number, before: number, after: number): void {
    const { shifts, deflater } = this;
    this.#zeros += (x - this.#at) * shifts.length;
    this.#at = x + 1;
    for (let i = 0; i < shifts.length; i++) {
      const shift = shifts[i] as number;
      const difference = (((after >> shift) & 255) - ((before >> shift) & 255)) & 255;
      if (difference === 0) {
        this.#zeros += 1;
        continue;
      }
      if (this.#zeros > 0) deflater.repeat(0, this.#zeros);
      this.#zeros = 0;
      deflater.byte(difference);
    }
  }

  end(): void {
    const zeros = this.#zeros + (this.width - this.#at) * this.shifts.length;
    if (zeros > 0) this.deflater.repeat(0, zeros);
  }
}

/** One byte per pixel; `value` where the mask is. */
export function encodeMaskPng(mask: Mask, value: 1 | 255): Uint8Array {
  return encodeLabelPng([{ mask, value }], mask.width, mask.height, 'grey-8');
}

/** Any PNG: what is not black (and not transparent) is the mask. */
export async function decodeMaskPng(bytes: Uint8Array, maxPixels: number): Promise<Mask> {
  const { width, height, channels, pixels } = await decodePng(bytes, maxPixels);
  const bitmap = new Uint8Array(width * height);
  const colours = channels < 3 ? 1 : 3;
  const hasAlpha = channels === 2 || channels === 4;
  for (let i = 0; i < bitmap.length; i++) {
    if (hasAlpha && pixels[i * channels + channels - 1] === 0) continue;
    for (let c = 0; c < colours; c++) if (pixels[i * channels + c]) bitmap[i] = 1;
  }
  return fromBitmap(bitmap, height, width);
}

export const cropToBox = (mask: Mask, [x, y, width, height]: readonly number[]): Mask =>
  crop(mask, [x as number, y as number, width as number, height as number]);
