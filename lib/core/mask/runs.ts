import type { Mask } from './mask';

/** Foreground as vertical spans: those of column x are at indices starts[x] … starts[x + 1] − 1; bottoms are exclusive. */
export type ColumnSpans = {
  readonly starts: Uint32Array;
  readonly tops: Uint32Array;
  readonly bottoms: Uint32Array;
};

/** Cuts the runs at column borders. */
export function columnSpans(mask: Mask): ColumnSpans {
  const { height, width, toggles } = mask;
  const most = (toggles.length >> 1) + width;
  const starts = new Uint32Array(width + 1);
  const tops = new Uint32Array(most);
  const bottoms = new Uint32Array(most);
  let count = 0;
  let column = 0;
  for (let i = 1; i < toggles.length; i += 2) {
    let from = toggles[i - 1] as number;
    const to = toggles[i] as number;
    while (from < to) {
      const x = Math.floor(from / height);
      while (column < x) starts[++column] = count;
      const base = x * height;
      const end = Math.min(to, base + height);
      tops[count] = from - base;
      bottoms[count++] = end - base;
      from = end;
    }
  }
  while (column < width) starts[++column] = count;
  return { starts, tops: tops.subarray(0, count), bottoms: bottoms.subarray(0, count) };
}

/** Collects foreground stretches in ascending order of their first position; touching ones become one run. */
export class RunBuilder {
  #toggles: Uint32Array<ArrayBuffer>;
  #count = 0;

  constructor(expected = 0) {
    this.#toggles = new Uint32Array(Math.max(64, expected + 3));
  }

  add(from: number, to: number): void {
    if (from >= to) return;
    const last = this.#count - 1;
    if (last >= 0 && from <= (this.#toggles[last] as number)) {
      if (to > (this.#toggles[last] as number)) this.#toggles[last] = to;
      return;
    }
    if (this.#count + 3 > this.#toggles.length) this.#grow();
    this.#toggles[this.#count++] = from;
    this.#toggles[this.#count++] = to;
  }

  build(height: number, width: number): Mask {
    const end = height * width;
    let count = this.#count;
    if (count === 0 || this.#toggles[count - 1] !== end) this.#toggles[count++] = end;
    return { height, width, toggles: this.#toggles.slice(0, count) };
  }

  #grow(): void {
    const bigger = new Uint32Array(2 * this.#toggles.length);
    bigger.set(this.#toggles);
    this.#toggles = bigger;
  }
}
