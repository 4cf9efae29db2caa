import type { PartAnswers } from './counts';

export interface PartPairs {
  /** In the order of the schema: objects in which both parts were drawn; the diagonal says how often each was. */
  together: number[][];
  /** Objects in which both were asked about: what `together` is a share of. */
  asked: number[][];
}

/** Which parts are seen together. */
export class PartPairCounts {
  readonly #at: ReadonlyMap<string, number>;
  readonly #together: number[][];
  readonly #asked: number[][];

  constructor(parts: readonly { id: string }[]) {
    this.#at = new Map(parts.map(({ id }, index) => [id, index]));
    this.#together = parts.map(() => parts.map(() => 0));
    this.#asked = parts.map(() => parts.map(() => 0));
  }

  add({ parts, absent }: PartAnswers): void {
    const drawn = this.#places(parts.map(({ id }) => id));
    countPairs(this.#together, drawn);
    countPairs(this.#asked, [...new Set([...drawn, ...this.#places(absent)])]);
  }

  result(): PartPairs {
    return { together: this.#together, asked: this.#asked };
  }

  #places(ids: readonly string[]): number[] {
    return [...new Set(ids)].flatMap((id) => this.#at.get(id) ?? []);
  }
}

function countPairs(counts: number[][], places: readonly number[]): void {
  for (const a of places) {
    const row = counts[a] as number[];
    for (const b of places) row[b] = (row[b] as number) + 1;
  }
}
