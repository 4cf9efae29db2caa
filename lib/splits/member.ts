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
export const usualShares = { train: 0.8, val: 0.1, test: 0.1 } as const satisfies Shares;
