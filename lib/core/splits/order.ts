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
export function drawn(seed: string, key: string): number {
  const high = hash(key, hash(seed, 1)) >>> 6;
  const low = hash(key, hash(seed, 2)) >>> 5;
  return (high * 2 ** 27 + low) / 2 ** 53;
}

/**
 * Shuffled by the seed: an entry keeps its place relative to the others when some are added or removed, so that a
 * dataset that has grown by a tenth is not dealt anew.
 */
export function shuffled<T>(list: readonly T[], keyOf: (entry: T) => string, seed: string): T[] {
  return list
    .map((entry) => ({ entry, key: keyOf(entry), at: drawn(seed, keyOf(entry)) }))
    .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry);
}
