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
