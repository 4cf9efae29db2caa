import type { Point } from '@/lib/core/geometry';

type Store = { numbers: Float64Array; used: number };

/**
 * An immutable list of points that grows in constant time. Lists that were appended one from the other share a
 * buffer; only appending to an older list, after newer ones used the room behind it, copies.
 */
export class PointList {
  static readonly empty = new PointList({ numbers: new Float64Array(0), used: 0 }, 0);

  readonly #store: Store;

  private constructor(
    store: Store,
    readonly length: number,
  ) {
    this.#store = store;
  }

  static from(numbers: ArrayLike<number>): PointList {
    return new PointList({ numbers: Float64Array.from(numbers), used: numbers.length }, numbers.length >> 1);
  }

  append(x: number, y: number): PointList {
    const at = 2 * this.length;
    const store = this.#room(at + 2);
    store.numbers[at] = x;
    store.numbers[at + 1] = y;
    store.used = at + 2;
    return new PointList(store, this.length + 1);
  }

  appendAll(numbers: ArrayLike<number>): PointList {
    if (numbers.length === 0) return this;
    const at = 2 * this.length;
    const store = this.#room(at + numbers.length);
    store.numbers.set(numbers, at);
    store.used = at + numbers.length;
    return new PointList(store, this.length + (numbers.length >> 1));
  }

  take(length: number): PointList {
    return new PointList(this.#store, Math.max(0, Math.min(length, this.length)));
  }

  at(index: number): Point | undefined {
    const i = index < 0 ? this.length + index : index;
    if (i < 0 || i >= this.length) return undefined;
    return [this.#store.numbers[2 * i] as number, this.#store.numbers[2 * i + 1] as number];
  }

  /** The points from an index on, as flat x, y pairs. */
  flat(from = 0): Float64Array {
    return this.#store.numbers.slice(2 * from, 2 * this.length);
  }

  #room(needed: number): Store {
    const { numbers, used } = this.#store;
    if (used === 2 * this.length && needed <= numbers.length) return this.#store;
    const bigger = new Float64Array(Math.max(32, 2 * needed));
    bigger.set(numbers.subarray(0, 2 * this.length));
    return { numbers: bigger, used: 2 * this.length };
  }
}
