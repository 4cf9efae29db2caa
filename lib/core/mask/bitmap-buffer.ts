import { kernel } from './kernel';
import { checkSize, type Mask } from './mask';
import { type Region, toRegions } from './regions';
import { instantiate, type WasmExports } from './wasm/instance';
import { MAX_TRACED, readRegions } from './wasm/traced-regions';

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
