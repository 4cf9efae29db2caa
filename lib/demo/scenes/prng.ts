/** Seeded random numbers from 32-bit integer arithmetic only, so every engine draws the same scene. */
export interface Rng {
  /** Uniform in [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  /** Uniform integer, both ends included. */
  integer(low: number, high: number): number;
  bernoulli(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** An independent stream: drawing more in one place must not change what another place draws. */
  fork(name: string): Rng;
}

/** Finaliser of MurmurHash3, as used by splitmix32. */
function mix(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) >>> 0;
}

function hashName(name: string, seed: number): number {
  let h = seed >>> 0;
  for (let i = 0; i < name.length; i++) h = mix(Math.imul(h ^ name.charCodeAt(i), 0x9e3779b1));
  return h;
}

/** xoshiro128** (Blackman and Vigna), its state filled by splitmix32. */
export function createRng(seed: number): Rng {
  const origin = seed >>> 0;
  const filled = [1, 2, 3, 4].map((i) => mix(origin + Math.imul(i, 0x9e3779b9)));
  let [a = 1, b = 2, c = 3, d = 4] = filled;

  const word = () => {
    const scrambled = Math.imul(b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result >>> 0;
  };

  const next = () => word() / 4294967296;
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer,
    bernoulli: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => items[integer(0, items.length - 1)] as T,
    fork: (name) => createRng(hashName(name, origin)),
  };
}
