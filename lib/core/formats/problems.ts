import type { Problem } from './format';

const SHOWN = 20;

/** Gathers what is wrong, by kind, with the first examples of each. */
export class Problems {
  readonly #byWhat = new Map<string, { examples: string[]; count: number }>();

  add(what: string, example: string): void {
    const known = this.#byWhat.get(what) ?? { examples: [], count: 0 };
    this.#byWhat.set(what, known);
    known.count += 1;
    if (known.examples.length < SHOWN) known.examples.push(example);
  }

  list(): Problem[] {
    return [...this.#byWhat].map(([what, found]) => ({ what, ...found }));
  }
}
