/** Uniform in [0, 1). */
export type Random = () => number;

/** Finalizer of MurmurHash3. */
function mix(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) >>> 0;
}

/**
 * Random numbers that depend on the keys only. Every answer has its own stream, keyed by seed, worker and question, so
 * the same worker gives the same answer to the same question in every arm: this is what pairs the arms.
 */
export function randomFor(...keys: readonly number[]): Random {
  let state = 0x9e3779b9;
  for (const key of keys) state = mix(Math.imul(state ^ (key | 0), 0x9e3779b1) + 0x7f4a7c15);
  return () => {
    // mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Standard normal, by Box and Muller. */
export function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}

export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);

/** Fisher and Yates, in place. */
export function shuffle<T>(list: T[], random: Random): T[] {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other] as T, list[last] as T];
  }
  return list;
}
