import { MaskError } from './errors';
import { kernel } from './kernel';
import { checkSize, type Mask } from './mask';
import { instantiate, type WasmExports } from './wasm/instance';

/** Where the WebAssembly instance of a canvas keeps its pixels. */
const PIXELS = 1024;

/**
 * One row-major bitmap to draw many masks of a size on, or to read masks from, without copying it: it lies where the
 * kernel works. It owns its memory; dropping the canvas frees it.
 */
export class MaskCanvas {
  readonly height: number;
  readonly width: number;
  readonly #wasm: WasmExports | undefined;
  #bytes: Uint8Array<ArrayBuffer>;

  constructor(height: number, width: number) {
    checkSize(height, width);
    this.height = height;
    this.width = width;
    this.#wasm = kernel().name === 'wasm' ? instantiate() : undefined;
    this.#wasm?.reserve(this.#free);
    this.#bytes = this.#wasm ? this.#look(this.#wasm) : new Uint8Array(height * width);
  }

  /** The pixels, 0 or 1. Ask again after `draw` or `read`: they may have moved. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  /** Replaces what is on the canvas. */
  draw(mask: Mask): void {
    if (mask.height !== this.height || mask.width !== this.width)
      throw new MaskError(
        'size-mismatch',
        'size',
        `a mask of ${mask.height}×${mask.width} does not fit a canvas of ${this.height}×${this.width}`,
      );
    const { toggles } = mask;
    if (!this.#wasm) {
      kernel().decodeRows(toggles, this.height, this.width, this.#bytes);
      return;
    }
    this.#wasm.reserve(this.#free + 4 * toggles.length);
    this.#bytes = this.#look(this.#wasm);
    new Uint32Array(this.#wasm.memory.buffer, this.#free, toggles.length).set(toggles);
    this.#wasm.decodeRows(this.#free, toggles.length, this.height, this.width, PIXELS);
  }

  /** The mask of the non-zero pixels. */
  read(): Mask {
    const { height, width } = this;
    if (!this.#wasm) return { height, width, toggles: kernel().encodeRows(this.#bytes, height, width) };
    const count = this.#wasm.encodeRows(PIXELS, height, width, this.#free);
    const toggles = new Uint32Array(
      this.#wasm.memory.buffer as ArrayBuffer,
      this.#wasm.resultAt(),
      count,
    ).slice();
    this.#bytes = this.#look(this.#wasm);
    return { height, width, toggles };
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
