import type { Box } from '@/lib/core/geometry';
import { kernel, settle } from './kernel';
import { checkSize, type Mask, MaskError, Scratch } from './mask';
import { type Region, toRegions } from './regions';
import { instantiate, MAX_TRACED, readRegions, type WasmExports } from './wasm/instance';

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

/** Where the WebAssembly instance of a buffer keeps its pixels. */
const PIXELS = 1024;

/**
 * A bitmap to fill by hand and read masks from without copying it: it lies where the kernel reads. It owns its memory;
 * dropping the buffer frees it.
 */
export class BitmapBuffer {
  readonly height: number;
  readonly width: number;
  readonly order: 'rows' | 'columns';
  readonly #wasm: WasmExports | undefined;
  #bytes: Uint8Array<ArrayBuffer>;

  /** Pixels lie row by row, or column by column. */
  constructor(height: number, width: number, order: 'rows' | 'columns' = 'rows') {
    checkSize(height, width);
    this.height = height;
    this.width = width;
    this.order = order;
    this.#wasm = kernel().name === 'wasm' ? instantiate() : undefined;
    this.#wasm?.reserve(this.#free);
    this.#bytes = this.#wasm ? this.#look(this.#wasm) : new Uint8Array(height * width);
  }

  /** The pixels; every non-zero byte is foreground. Ask again after reading a mask or regions: they may have moved. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  toMask(): Mask {
    const { height, width } = this;
    return { height, width, toggles: this.#wasm ? this.#encode(this.#wasm) : this.#encodePlainly() };
  }

  /** The same as `toRegions` of the mask. */
  toRegions(): Region[] {
    const wasm = this.#wasm;
    if (!wasm) return toRegions(this.toMask());
    const count = this.#findToggles(wasm);
    if (count > MAX_TRACED) return toRegions(this.toMask());
    const toggles = wasm.resultAt() >>> 0;
    const rings = wasm.traceRegions(toggles, count, this.height, this.width, toggles + 4 * count);
    this.#bytes = this.#look(wasm);
    return readRegions(wasm, rings);
  }

  #encodePlainly(): Uint32Array {
    if (this.order === 'columns') return kernel().encodeColumns(this.#bytes);
    return kernel().encodeRows(this.#bytes, this.height, this.width);
  }

  #findToggles(wasm: WasmExports): number {
    if (this.order === 'columns') return wasm.encodeColumns(PIXELS, this.height * this.width, this.#free);
    return wasm.encodeRows(PIXELS, this.height, this.width, this.#free);
  }

  #encode(wasm: WasmExports): Uint32Array {
    const count = this.#findToggles(wasm);
    this.#bytes = this.#look(wasm);
    return new Uint32Array(wasm.memory.buffer as ArrayBuffer, wasm.resultAt() >>> 0, count).slice();
  }

  get #free(): number {
    return (PIXELS + this.height * this.width + 15) & ~15;
  }

  #look(wasm: WasmExports): Uint8Array<ArrayBuffer> {
    const buffer = wasm.memory.buffer as ArrayBuffer;
    if (this.#bytes?.buffer === buffer) return this.#bytes;
    return new Uint8Array(buffer, PIXELS, this.height * this.width);
  }
}

const stretched = new Scratch();
const rows = new Scratch();
const places = new Scratch();

/**
 * The toggles of a mask when it is read row by row instead of column by column, as most formats do; of a box only, which
 * must hold the whole foreground. A row toggles at every pixel that differs from its left neighbour, so the work grows
 * with the outline and no pixel is painted.
 */
export function rowToggles(mask: Mask, box: Box = [0, 0, mask.width, mask.height]): Uint32Array {
  const [left, top, width, height] = box;
  const stretches = differingFromLeft(mask);
  // How many toggles each row has, then where its next one goes.
  const next = rows.zeros(height + 1);
  for (let i = 0; i < stretches.length; i += 3) {
    const x = (stretches[i] as number) - left;
    const from = (stretches[i + 1] as number) - top;
    const to = (stretches[i + 2] as number) - top;
    if (x < 0 || x > width || from < 0 || to > height)
      throw new MaskError('bad-argument', 'box', `[${box.join(', ')}] does not hold the whole mask`);
    next[from] = (next[from] as number) + 1;
    next[to] = (next[to] as number) - 1;
  }
  let count = 0;
  for (let row = 0, open = 0; row < height; row++) {
    // Sums of differences: below zero is a large number here, and the sum comes out right.
    open = (open + (next[row] as number)) | 0;
    next[row] = count;
    count += open;
  }
  const positions = places.take(count);
  for (let i = 0; i < stretches.length; i += 3) {
    const to = (stretches[i + 2] as number) - top;
    let row = (stretches[i + 1] as number) - top;
    for (let position = row * width + (stretches[i] as number) - left; row < to; row++) {
      const at = next[row] as number;
      positions[at] = position;
      next[row] = at + 1;
      position += width;
    }
  }
  return settle(positions, count, width * height);
}

/** Larger than every position. */
const NONE = 2 ** 31 - 1;

/**
 * The stretches of pixels that differ from their left neighbour: column, first row, row behind the last. The left
 * neighbour of position p is p − height: the mask is compared with itself, moved by a column.
 */
function differingFromLeft({ height, width, toggles }: Mask): Uint32Array {
  // The last toggle is a border only where the mask ends with foreground.
  const count = toggles.length - (toggles.length % 2);
  // Every other border begins a stretch, and each column may cut one in two.
  const found = stretched.take(3 * (count + width + 1));
  let kept = 0;
  let x = 0;
  let base = 0;
  let start = -1;
  for (let own = 0, moved = 0; moved < count; ) {
    const here = own < count ? (toggles[own] as number) : NONE;
    const there = (toggles[moved] as number) + height;
    if (here <= there) own++;
    if (there <= here) moved++;
    if (here === there) continue;
    const border = Math.min(here, there);
    if (start < 0) {
      start = border;
      continue;
    }
    while (start < border) {
      while (start >= base + height) {
        base += height;
        x++;
      }
      const end = Math.min(border, base + height);
      found[kept++] = x;
      found[kept++] = start - base;
      found[kept++] = end - base;
      start = end;
    }
    start = -1;
  }
  return found.subarray(0, kept);
}
