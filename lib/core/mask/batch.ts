import { area, boundingBox } from './algebra';
import { cocoIou } from './compare';
import { kernel } from './kernel';
import { checkSameSize, type Mask, MaskError } from './mask';
import { BatchLayout, instantiate, type WasmExports } from './wasm/instance';

/**
 * Many masks of one size, kept where the WebAssembly kernel reads them, for work that wants one number from each or
 * looks at them again and again. It owns its memory; dropping the batch frees it.
 */
export class MaskBatch {
  readonly masks: readonly Mask[];
  readonly #resident: Resident | undefined;
  #areas: Uint32Array | undefined;

  constructor(masks: readonly Mask[]) {
    const [first] = masks;
    if (!first) throw new MaskError('no-masks', 'masks', 'a batch needs at least one mask');
    for (const mask of masks) checkSameSize(first, mask);
    this.masks = masks;
    this.#resident = makeResident(masks, first.height);
  }

  /** Foreground pixels of each mask. */
  areas(): Uint32Array {
    return this.#resident ? this.#resident.areas() : Uint32Array.from(this.masks, area);
  }

  /** x, y, width, height of each mask, one after the other. */
  boxes(): Uint32Array {
    if (this.#resident) return this.#resident.boxes();
    return Uint32Array.from(this.masks.flatMap((mask) => boundingBox(mask)));
  }

  /** COCO's IoU of two of the masks; see `cocoIou`. */
  iou(answer: number, truth: number, crowd = false): number {
    if (!this.#resident) return cocoIou(this.#at(answer), this.#at(truth), crowd);
    this.#areas ??= this.areas();
    const mine = this.#areas[answer];
    const theirs = this.#areas[truth];
    if (mine === undefined || theirs === undefined) throw this.#missing(mine === undefined ? answer : truth);
    const both = this.#resident.overlap(answer, truth);
    return both === 0 ? 0 : both / (crowd ? mine : mine + theirs - both);
  }

  #at(index: number): Mask {
    const mask = this.masks[index];
    if (!mask) throw this.#missing(index);
    return mask;
  }

  #missing(index: number): MaskError {
    return new MaskError('bad-argument', `masks[${index}]`, `the batch has ${this.masks.length} masks`);
  }
}

function makeResident(masks: readonly Mask[], height: number): Resident | undefined {
  const wasm = kernel().name === 'wasm' ? instantiate() : undefined;
  return wasm && new Resident(wasm, masks, height);
}

/** A batch inside the linear memory of an instance of its own. */
class Resident {
  readonly #wasm: WasmExports;
  readonly #layout: BatchLayout;
  readonly #words: Uint32Array<ArrayBuffer>;
  readonly #height: number;

  constructor(wasm: WasmExports, masks: readonly Mask[], height: number) {
    this.#wasm = wasm;
    this.#height = height;
    this.#layout = new BatchLayout(
      0,
      masks.map((mask) => mask.toggles),
    );
    wasm.reserve(this.#layout.end);
    this.#words = new Uint32Array(wasm.memory.buffer as ArrayBuffer);
    this.#layout.write(this.#words);
    wasm.frameAll(this.#layout.list, this.#layout.count);
  }

  areas(): Uint32Array {
    const { list, count, areas } = this.#layout;
    this.#wasm.measureAreas(list, count, areas);
    return this.#words.slice(areas / 4, areas / 4 + count);
  }

  boxes(): Uint32Array {
    const { list, count, boxes } = this.#layout;
    this.#wasm.measureBoxes(list, count, this.#height, boxes);
    return this.#words.slice(boxes / 4, boxes / 4 + 4 * count);
  }

  overlap(i: number, j: number): number {
    const entry = this.#layout.list / 4;
    const words = this.#words;
    return this.#wasm.overlap(
      words[entry + 2 * i] as number,
      words[entry + 2 * i + 1] as number,
      words[entry + 2 * j] as number,
      words[entry + 2 * j + 1] as number,
    );
  }
}
