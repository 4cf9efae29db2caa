/** An image, as far as a split has to know it. */
export interface Member {
  id: string;
  className: string | null;
  /** Declared by the curator: a city, a video, a photographer. */
  groupKey: string | null;
}

/** Two images that must not come apart, and why. */
export interface Tie {
  a: string;
  b: string;
  why: 'same file' | 'looks alike';
}

/** Parts of a dataset with the share that each should get, in the order in which they are told. */
export type Shares = Readonly<Record<string, number>>;

/** By image. */
export type Assignment = ReadonlyMap<string, string>;

/** As in the part-model paper. */
export const defaultShares = { train: 0.8, val: 0.1, test: 0.1 } as const satisfies Shares;

const standardOrder = Object.keys(defaultShares);
const rank = (part: string) =>
  standardOrder.includes(part) ? standardOrder.indexOf(part) : standardOrder.length;

/** Parts in the order in which they are told: train, val, test, then by number and name. */
export const sortSplits = (parts: Iterable<string>): string[] =>
  [...new Set(parts)].sort(
    (a, b) => rank(a) - rank(b) || numberIn(a) - numberIn(b) || (a < b ? -1 : a > b ? 1 : 0),
  );

/** "fold-10" comes after "fold-2". */
const numberIn = (part: string): number => Number(/\d+$/.exec(part)?.[0] ?? 0);

/**
 * Shares in canonical order (a database gives the keys of an object back in an order of its own), and
 * without parts that are to get nothing.
 */
export const orderedShares = (shares: Shares): Shares =>
  Object.fromEntries(
    sortSplits(Object.keys(shares))
      .map((part) => [part, shares[part] ?? 0] as const)
      .filter(([, share]) => share > 0),
  );

const GOLDEN = 0x9e3779b1;

/** Finaliser of MurmurHash3. */
function mix(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) >>> 0;
}

function hash(text: string, start: number): number {
  let h = start >>> 0;
  for (let i = 0; i < text.length; i++) h = mix(Math.imul(h ^ text.charCodeAt(i), GOLDEN));
  return mix(h ^ text.length);
}

/** A number in [0, 1) that depends on the seed and the key alone, whatever else is in the dataset. */
export function hashToUnit(seed: string, key: string): number {
  const high = hash(key, hash(seed, 1)) >>> 6;
  const low = hash(key, hash(seed, 2)) >>> 5;
  return (high * 2 ** 27 + low) / 2 ** 53;
}

/**
 * Shuffled by the seed: an entry keeps its place relative to the others when some are added or removed, so that a
 * dataset that has grown by a tenth is not assigned again.
 */
export function shuffle<T>(list: readonly T[], keyOf: (entry: T) => string, seed: string): T[] {
  return list
    .map((entry) => ({ entry, key: keyOf(entry), at: hashToUnit(seed, keyOf(entry)) }))
    .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry);
}
