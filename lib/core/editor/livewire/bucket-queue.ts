/**
 * Dial's priority queue: nodes with small integer keys, where no key waits longer than `span` behind the least
 * (R. B. Dial, Algorithm 360, CACM 1969). All operations take constant time.
 */
export class BucketQueue {
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #mask: number;
  #key = 0;
  #size = 0;

  /** `span` is a power of two above the largest step from a taken key to a new one. */
  constructor(nodes: number, span: number) {
    this.#heads = new Int32Array(span).fill(-1);
    this.#next = new Int32Array(nodes);
    this.#previous = new Int32Array(nodes);
    this.#mask = span - 1;
  }

  get size(): number {
    return this.#size;
  }

  push(node: number, key: number): void {
    const bucket = key & this.#mask;
    const head = this.#heads[bucket] as number;
    this.#next[node] = head;
    this.#previous[node] = -1 - bucket;
    if (head >= 0) this.#previous[head] = node;
    this.#heads[bucket] = node;
    this.#size++;
  }

  remove(node: number): void {
    const next = this.#next[node] as number;
    const previous = this.#previous[node] as number;
    if (previous < 0) this.#heads[-1 - previous] = next;
    else this.#next[previous] = next;
    if (next >= 0) this.#previous[next] = previous;
    this.#size--;
  }

  /** A node with the least key; only while the queue is not empty. */
  take(): number {
    while ((this.#heads[this.#key & this.#mask] as number) < 0) this.#key++;
    const node = this.#heads[this.#key & this.#mask] as number;
    this.remove(node);
    return node;
  }
}
