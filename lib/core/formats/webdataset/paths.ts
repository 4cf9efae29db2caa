export const shardPath = (split: string, index: number): string =>
  `${split}-${String(index).padStart(6, '0')}.tar`;

/** The split that `shardPath` was given. */
export const splitOfShard = (path: string): string | null => /([^/]+)-\d+\.tar$/.exec(path)?.[1] ?? null;
