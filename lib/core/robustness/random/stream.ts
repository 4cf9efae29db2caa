import { sha256 } from './sha256';

/** Chance that can be repeated. */
export interface Stream {
  /** A whole number below 2³². */
  next(): number;
  /** From 0, below 1. */
  unit(): number;
  /** A whole number from 0, below `count`. */
  below(count: number): number;
  normal(): number;
}

/** What a stream belongs to. Model, batch size and number of workers are not in it: two models see the same noise. */
export interface StreamKey {
  seed: number;
  sample: string;
  /** Of the variant. */
  variant: string;
  level: number | string;
  trial: number | string;
}

export const streamKey = ({ seed, sample, variant, level, trial }: StreamKey): string =>
  `tessera|${seed}|${sample}|${variant}|L${level}|T${trial}`;

/** The generator sfc32, begun from the SHA-256 of the key. */
export function stream(key: string): Stream {
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
