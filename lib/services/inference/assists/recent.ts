/** Keeps the values that were used last, up to a number of them. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  async get(key: string, make: () => Promise<Value>): Promise<Value> {
    const value = this.#values.get(key) ?? (await make());
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value as string);
    return value;
  }
}
