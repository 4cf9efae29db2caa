/** A hostile file could give every mask a fault of its own. */
const MOST_KINDS = 60;
const OTHERS = 'other things that cannot be read were left out';

/** Sentences about what a reader left out, one per kind, with a count and the first place. */
export class Notes {
  readonly #found = new Map<string, { count: number; first: string }>();
  readonly list: string[] = [];

  /** `what` follows a number: "annotations without a mask". */
  add(what: string, where: string): void {
    if (this.#found.size >= MOST_KINDS && what !== OTHERS && !this.#found.has(what)) {
      this.add(OTHERS, where);
      return;
    }
    const known = this.#found.get(what);
    if (known) known.count += 1;
    else this.#found.set(what, { count: 1, first: where });
    this.list.length = 0;
    for (const [kind, { count, first }] of this.#found)
      this.list.push(`${count} × ${kind} (first: ${first}).`);
  }
}
