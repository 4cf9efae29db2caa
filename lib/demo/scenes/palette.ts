import type { Rng } from './prng';

/** The ten colours of the RIVAL10 form, each with the tones a figure may wear. */
export const COLOUR_TONES = {
  white: ['#f4f1ea', '#ebe9e4', '#f7f7f5'],
  black: ['#2b2b30', '#25272b', '#332f30'],
  grey: ['#8a8c90', '#7b7f86', '#98958f'],
  silver: ['#c3c8ce', '#b9c0c7', '#ccd0d3'],
  brown: ['#8a5a34', '#7a4c2c', '#a06b3e'],
  blue: ['#3f74b8', '#2f5fa6', '#4f8fce'],
  red: ['#b93a32', '#a62f2f', '#c94b3d'],
  yellow: ['#e8bf3c', '#ddb03a', '#f0cd55'],
  green: ['#5d9442', '#4b8548', '#79a83f'],
  orange: ['#d97b2b', '#cf6c25', '#e38d3d'],
} as const;

export type ColourName = keyof typeof COLOUR_TONES;

/** A tone together with the word a worker would tick for it; details too small to be named have none. */
export interface Tone {
  hex: string;
  name?: ColourName;
}

export function tone(rng: Rng, name: ColourName): Tone {
  return { hex: rng.pick(COLOUR_TONES[name]), name };
}

export function anyTone(rng: Rng, names: readonly ColourName[]): Tone {
  return tone(rng, rng.pick(names));
}

function channels(hex: string): [number, number, number] {
  return [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)) as [number, number, number];
}

/** `amount` 0 keeps the first colour, 1 gives the second. */
export function mixHex(from: string, to: string, amount: number): string {
  const [a, b] = [channels(from), channels(to)];
  const mixed = a.map((value, i) => Math.round(value + ((b[i] ?? value) - value) * amount));
  return `#${mixed.map((value) => Math.max(0, Math.min(255, value)).toString(16).padStart(2, '0')).join('')}`;
}

export const lighten = (hex: string, amount: number) => mixHex(hex, '#fff6e5', amount);
export const darken = (hex: string, amount: number) => mixHex(hex, '#1a1630', amount);
