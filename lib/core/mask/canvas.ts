import type { Ring } from '@/lib/core/geometry';
import { MaskError } from './errors';
import { kernel } from './kernel';
import { checkSize, type Mask } from './mask';
import { checkPolygons, rasterizePolygons } from './polygon';
import { instantiate, type WasmExports } from './wasm/instance';

/** Where the WebAssembly instance of a canvas keeps its pixels. */
const PIXELS = 1024;

/** Polygons that one pass can paint: one bit of a byte each. */
const PLANES = 8;

/**
 * One row-major bitmap to draw many masks on, one after the other, without allocating or copying. It owns its memory;
 * dropping the canvas frees it.
 */
export class MaskCanvas {
  readonly height: number;
  readonly width: number;
  readonly #wasm: WasmExports | undefined;
  #bytes: Uint8Array<ArrayBuffer>;
  #doubles: Float64Array<ArrayBuffer> | undefined;

  constructor(height: number, width: number) {
    checkSize(height, width);
    this.height = height;
    this.width = width;
    this.#wasm = kernel().name === 'wasm' ? instantiate() : undefined;
    this.#wasm?.reserve(this.#free);
    this.#bytes = this.#wasm ? this.#look(this.#wasm) : new Uint8Array(height * width);
  }

  /** What was drawn last, 0 or 1 a pixel. Ask again after each drawing: the pixels may have moved. Not to be written. */
  get bytes(): Readonly<Uint8Array<ArrayBuffer>> {
    return this.#bytes;
  }

  /** Replaces what is on the canvas by a mask. */
  draw(mask: Mask): void {
    const { height, width } = this;
    if (mask.height !== height || mask.width !== width)
      throw new MaskError(
        'size-mismatch',
        'size',
        `a mask of ${mask.height}×${mask.width} does not fit a canvas of ${height}×${width}`,
      );
    const wasm = this.#wasm;
    if (!wasm) {
      this.#bytes.fill(0);
      kernel().decodeRows(mask.toggles, height, width, this.#bytes);
      return;
    }
    const count = mask.toggles.length;
    wasm.reserve(this.#free + 4 * count);
    new Uint32Array(wasm.memory.buffer, this.#free, count).set(mask.toggles);
    wasm.erase(PIXELS, width);
    wasm.markRuns(this.#free, count, height, width, PIXELS);
    wasm.carry(PIXELS, width, 1);
    this.#bytes = this.#look(wasm);
  }

  /** Replaces what is on the canvas by the union of polygons, as `rasterizePolygons` gives it. */
  fill(polygons: readonly Ring[]): void {
    const wasm = this.#wasm;
    if (!wasm || polygons.length > PLANES) {
      this.draw(rasterizePolygons(polygons, this.height, this.width));
      return;
    }
    checkPolygons(polygons);
    wasm.erase(PIXELS, this.width);
    polygons.forEach((ring, plane) => {
      this.#mark(wasm, ring, 1 << plane);
    });
    wasm.carry(PIXELS, this.width, polygons.length);
    this.#bytes = this.#look(wasm);
  }

  #mark(wasm: WasmExports, ring: Ring, plane: number): void {
    const free = this.#free;
    const behind = free + 8 * ring.length;
    wasm.reserve(behind);
    const { buffer } = wasm.memory;
    if (this.#doubles?.buffer !== buffer) this.#doubles = new Float64Array(buffer as ArrayBuffer);
    const doubles = this.#doubles;
    for (let i = 0; i < ring.length; i++) doubles[free / 8 + i] = ring[i] as number;
    wasm.markRing(free, ring.length / 2, this.height, this.width, PIXELS, plane, behind);
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
