/** Words that are kept at most: a mask of many more is rare, and its memory is given back. */
const MOST = 2 ** 20;

/** Words for the length of one call, used again by the next: allocating them costs as much as filling them. */
export class Scratch {
  #words = new Uint32Array(0);

  /** With whatever the last call left in them. */
  take(count: number): Uint32Array {
    if (count > MOST) return new Uint32Array(count);
    if (count > this.#words.length) this.#words = new Uint32Array(Math.min(MOST, 2 * count));
    return this.#words.subarray(0, count);
  }

  zeros(count: number): Uint32Array {
    return this.take(count).fill(0);
  }
}
