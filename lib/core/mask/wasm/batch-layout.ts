/** Where a batch of masks lies in linear memory, as matrix.as reads it. All in bytes. */
export class BatchLayout {
  readonly count: number;
  readonly list: number;
  readonly areas: number;
  readonly boxes: number;
  readonly end: number;
  readonly #masks: readonly Readonly<Uint32Array>[];
  readonly #toggles: number;

  constructor(base: number, masks: readonly Readonly<Uint32Array>[]) {
    this.#masks = masks;
    this.count = masks.length;
    this.list = base;
    this.areas = this.list + 8 * masks.length;
    this.boxes = aligned(this.areas + 4 * masks.length);
    this.#toggles = this.boxes + 16 * masks.length;
    this.end = aligned(this.#toggles + 4 * masks.reduce((sum, mask) => sum + framedLength(mask), 0));
  }

  /** To be followed by the module's `frameAll`. */
  write(words: Uint32Array): void {
    let at = this.#toggles / 4 + 1;
    this.#masks.forEach((mask, i) => {
      words[this.list / 4 + 2 * i] = 4 * at;
      words[this.list / 4 + 2 * i + 1] = mask.length;
      words.set(mask, at);
      at += framedLength(mask);
    });
  }
}

/** In words, with the one in front and the two behind that runs.as asks for. */
function framedLength(mask: Readonly<Uint32Array>): number {
  return mask.length + 3;
}

function aligned(pointer: number): number {
  return (pointer + 15) & ~15;
}
