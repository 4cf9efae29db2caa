/** Cache bounded by the total weight of its values, by default their number. */
export class LeastRecentlyUsed<Value> {
  readonly #values = new Map<string, Value>();
  readonly #maxWeight: number;
  readonly #weigh: (value: Value) => number;
  #weight = 0;

  constructor(maxWeight: number, weigh: (value: Value) => number = () => 1) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  get weight(): number {
    return this.#weight;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    const before = this.#values.get(key);
    if (before !== undefined) this.#weight -= this.#weigh(before);
    this.#values.delete(key);
    this.#values.set(key, value);
    this.#weight += this.#weigh(value);
    // The newest stays, even if it is too large by itself.
    for (const [oldest, old] of this.#values) {
      if (this.#weight <= this.#maxWeight || oldest === key) break;
      this.#values.delete(oldest);
      this.#weight -= this.#weigh(old);
    }
  }

  /** Returns the cached value, or computes it. An undefined result is not cached. */
  async find(key: string, make: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const made = await make();
    if (made !== undefined) this.set(key, made);
    return made;
  }
}
