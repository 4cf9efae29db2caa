/** Deterministic random number generator. */
export interface Rng {
  /** Integer below 2³². */
  next(): number;
  /** From 0, below 1. */
  unit(): number;
  /** Integer from 0, below `count`. */
  below(count: number): number;
  normal(): number;
}

/** Key of a generator. It does not include model, batch size or number of processes: two models get the same noise. */
interface RngKey {
  seed: number;
  sample: string;
  /** Of the variant. */
  variant: string;
  level: number | string;
  trial: number | string;
}

export const rngKey = ({ seed, sample, variant, level, trial }: RngKey): string =>
  `tessera|${seed}|${sample}|${variant}|L${level}|T${trial}`;

/** Creates an sfc32 generator seeded with the SHA-256 of the key. */
export function createRng(key: string): Rng {
  const state = sha256(key);
  // The digest's bytes, read as little-endian words.
  let [a, b, c, d] = Array.from({ length: 4 }, (_, i) => swapped(state[i] as number)) as [
    number,
    number,
    number,
    number,
  ];
  const next = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  let spare: number | null = null;
  const unit = () => next() / 2 ** 32;
  return {
    next,
    unit,
    below: (count) => Math.floor(unit() * count),
    normal() {
      if (spare !== null) {
        const kept = spare;
        spare = null;
        return kept;
      }
      const radius = Math.sqrt(-2 * Math.log((next() + 1) / (2 ** 32 + 1)));
      const angle = 2 * Math.PI * unit();
      spare = radius * Math.sin(angle);
      return radius * Math.cos(angle);
    },
  };
}

const swapped = (word: number): number =>
  ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);

/** SHA-256 in plain arithmetic, so that random numbers do not depend on the platform. */
function sha256(text: string): Uint32Array {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Uint32Array.from(roots(8, 2));
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++)
      w[i] =
        (w[i - 16] as number) +
        small0(w[i - 15] as number) +
        (w[i - 7] as number) +
        small1(w[i - 2] as number);
    mix(state, w);
  }
  return state;
}

function mix(state: Uint32Array, w: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const t1 =
      (h +
        (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
        ((e & f) ^ (~e & g)) +
        (K[i] as number) +
        (w[i] as number)) |
      0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => {
    state[i] = (state[i] as number) + value;
  });
}

const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
const small0 = (x: number): number => turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
const small1 = (x: number): number => turn(x, 17) ^ turn(x, 19) ^ (x >>> 10);

/** Constants of SHA-256: fractional bits of roots of the first primes. */
function roots(count: number, root: 2 | 3): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes.map((prime) => {
    const value = root === 2 ? Math.sqrt(prime) : Math.cbrt(prime);
    return Math.floor((value % 1) * 2 ** 32);
  });
}

const K = Uint32Array.from(roots(64, 3));

/** Poisson sample by inversion, for means up to a few hundred; uses one random number. */
export function poisson(mean: number, rng: Rng): number {
  const u = rng.unit();
  // The remaining tail is below the resolution of the random number.
  const max = mean + 20 * Math.sqrt(mean) + 20;
  let term = Math.exp(-mean);
  let below = term;
  let count = 0;
  while (u >= below && count < max) {
    count += 1;
    term *= mean / count;
    below += term;
  }
  return count;
}
