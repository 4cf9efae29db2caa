import { type Figure, figure, noFigure, rounded } from './masks';

/** The answered forms as bits: 18 attributes of a million images take 12 MB. */
export class AttributeTable {
  readonly attributes: number;
  readonly #words: number;
  #bits = new Uint32Array(1024);
  #classes = new Int32Array(256);
  #splits = new Int32Array(256);
  #heldOut = new Uint8Array(256);
  #rows = 0;

  constructor(attributes: number) {
    this.attributes = attributes;
    this.#words = Math.max(1, Math.ceil(attributes / 32));
  }

  get rows(): number {
    return this.#rows;
  }

  /** `classAt` and `splitAt` are −1 where there is none; `isHeldOut` is used where the version has no split. */
  add(present: Iterable<number>, classAt: number, splitAt: number, isHeldOut: boolean): void {
    this.#makeRoom();
    const start = this.#rows * this.#words;
    for (const attribute of present) {
      const word = start + (attribute >> 5);
      this.#bits[word] = (this.#bits[word] as number) | (1 << (attribute & 31));
    }
    this.#classes[this.#rows] = classAt;
    this.#splits[this.#rows] = splitAt;
    this.#heldOut[this.#rows] = Number(isHeldOut);
    this.#rows += 1;
  }

  present(row: number): number[] {
    const list: number[] = [];
    const start = row * this.#words;
    for (let at = 0; at < this.attributes; at++)
      if (((this.#bits[start + (at >> 5)] as number) >>> (at & 31)) & 1) list.push(at);
    return list;
  }

  classAt = (row: number): number => this.#classes[row] as number;
  splitAt = (row: number): number => this.#splits[row] as number;
  isHeldOut = (row: number): boolean => this.#heldOut[row] === 1;

  /** Equal rows have equal keys. */
  key(row: number): string {
    return this.#bits.subarray(row * this.#words, (row + 1) * this.#words).join(',');
  }

  #makeRoom(): void {
    if (this.#rows === this.#classes.length) {
      this.#classes = grown(this.#classes, new Int32Array(2 * this.#rows));
      this.#splits = grown(this.#splits, new Int32Array(2 * this.#rows));
      this.#heldOut = grown(this.#heldOut, new Uint8Array(2 * this.#rows));
    }
    if ((this.#rows + 1) * this.#words > this.#bits.length)
      this.#bits = grown(this.#bits, new Uint32Array(2 * this.#bits.length + this.#words));
  }
}

function grown<T extends Int32Array | Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

export interface AttributePairs {
  /** Null for the whole version. */
  split: string | null;
  /** Answered forms. */
  n: number;
  /** Forms with both attributes; the diagonal says how often each was marked. */
  together: number[][];
  /** Pearson's correlation of the marks as 0 and 1 (phi). */
  correlation: Figure[][];
}

/** Pairs of the forms in one split, or in all. */
export function attributePairs(
  table: AttributeTable,
  split: { name: string; at: number } | null,
): AttributePairs {
  const together = Array.from({ length: table.attributes }, () =>
    new Array<number>(table.attributes).fill(0),
  );
  let n = 0;
  for (let row = 0; row < table.rows; row++) {
    if (split && table.splitAt(row) !== split.at) continue;
    n += 1;
    const present = table.present(row);
    for (const a of present) {
      const counts = together[a] as number[];
      for (const b of present) counts[b] = (counts[b] as number) + 1;
    }
  }
  const correlation = together.map((counts, a) => counts.map((_, b) => phi(together, n, a, b)));
  return { split: split?.name ?? null, n, together, correlation };
}

function phi(together: number[][], n: number, a: number, b: number): Figure {
  const count = (i: number, j: number) => together[i]?.[j] ?? 0;
  const [na, nb] = [count(a, a), count(b, b)];
  if (n === 0) return noFigure('No form was answered.');
  for (const marked of [na, nb]) {
    if (marked === 0) return noFigure('An attribute that is never marked varies with nothing.');
    if (marked === n) return noFigure('An attribute that is always marked varies with nothing.');
  }
  // Square roots one by one: the product of four counts of a large version is no exact number.
  const spread = Math.sqrt(na) * Math.sqrt(n - na) * Math.sqrt(nb) * Math.sqrt(n - nb);
  const value = (n * count(a, b) - na * nb) / spread;
  return figure(a === b ? 1 : rounded(Math.max(-1, Math.min(1, value))));
}

/** How often b is marked where a is. */
export function conditional({ together }: AttributePairs, a: number, b: number): { of: number; n: number } {
  return { of: together[a]?.[b] ?? 0, n: together[a]?.[a] ?? 0 };
}
