/** Runs work in the background, a few pieces at once; the first failure is told at the next call and at the end. */
export class AtOnce {
  readonly #running = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  constructor(private readonly most: number) {}

  async start(work: () => Promise<void>): Promise<void> {
    if (this.#running.size >= this.most) await Promise.race(this.#running);
    this.#tell();
    const piece: Promise<void> = work()
      .catch((error) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(piece));
    this.#running.add(piece);
  }

  async end(): Promise<void> {
    await Promise.all(this.#running);
    this.#tell();
  }

  #tell(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/** The same, but one piece after the other: only so many wait for their turn. */
export class InTurn {
  readonly #waiting: AtOnce;
  #last: Promise<unknown> = Promise.resolve();

  constructor(most: number) {
    this.#waiting = new AtOnce(most);
  }

  start(work: () => Promise<void>): Promise<void> {
    return this.#waiting.start(() => {
      const mine = this.#last.then(work);
      this.#last = mine.catch(() => {});
      return mine;
    });
  }

  end(): Promise<void> {
    return this.#waiting.end();
  }
}
