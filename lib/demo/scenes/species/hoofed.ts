import type { QuadrupedBuild } from '../figures/quadruped-build';
import { anyTone, darken, tone } from '../palette';
import { animal, type Species } from './animal';

const ANTELOPE: Partial<QuadrupedBuild> = {
  bodyLength: 58,
  bodyDepth: 25,
  tuck: 0.5,
  legLength: 60,
  legWidth: 2.9,
  neckLength: 29,
  neckWidth: 6.2,
  neckRise: 1,
  headSize: 8.2,
  snoutLength: 11,
  snoutDepth: 7,
  ears: 'leaf',
  tail: 'short',
  hooves: true,
  longSnout: true,
};

function antelope(id: string, wnid: string, horns: 'lyre' | 'straight'): Species {
  return animal(id, wnid, (rng) => {
    const coat = anyTone(rng, ['brown', 'orange', 'brown']);
    return {
      ...ANTELOPE,
      coat,
      under: tone(rng, 'white'),
      ...(rng.bernoulli(0.75) ? { horns } : {}),
      pattern: rng.bernoulli(0.3) ? 'spots' : 'none',
      patternHex: '#f3e6cf',
    };
  });
}

const EQUINE: Partial<QuadrupedBuild> = {
  bodyLength: 64,
  bodyDepth: 31,
  tuck: 0.15,
  legLength: 63,
  legWidth: 3.8,
  neckLength: 34,
  neckWidth: 9.5,
  neckRise: 0.9,
  headSize: 9.8,
  snoutLength: 17,
  snoutDepth: 9.5,
  ears: 'leaf',
  tail: 'horse',
  mane: true,
  hooves: true,
  longSnout: true,
};

export const deer = [antelope('gazelle', 'n02423022', 'straight'), antelope('impala', 'n02422699', 'lyre')];

export const horse = animal(
  'sorrel',
  'n02389026',
  (rng) => {
    const coat = anyTone(rng, ['brown', 'brown', 'orange', 'black', 'white', 'grey']);
    return {
      ...EQUINE,
      coat,
      maneTone: rng.bernoulli(0.5) ? { hex: '#e6cf9a' } : { hex: '#2b2320', name: 'black' },
      under: { ...coat, hex: darken(coat.hex, 0.12) },
    };
  },
  ['tall'],
);

export const zebra = animal(
  'zebra',
  'n02391049',
  (rng) => ({
    ...EQUINE,
    coat: tone(rng, 'white'),
    under: tone(rng, 'black'),
    maneTone: tone(rng, 'black'),
    pattern: 'stripes',
    patternHex: '#25232a',
    patternName: 'black',
    tail: 'tuft',
    legLength: 55,
  }),
  ['tall'],
);

export const cow = animal('cow', undefined, (rng) => ({
  coat: anyTone(rng, ['white', 'brown']),
  bodyLength: 74,
  bodyDepth: 40,
  tuck: 0,
  legLength: 46,
  legWidth: 4.6,
  neckLength: 18,
  neckWidth: 12,
  neckRise: 0.45,
  headSize: 11.5,
  snoutLength: 13,
  snoutDepth: 11,
  ears: 'leaf',
  tail: 'tuft',
  horns: 'cow',
  hooves: true,
  splitLegs: true,
  longSnout: true,
  pattern: rng.bernoulli(0.7) ? 'patches' : 'none',
  patternHex: '#2b2730',
  patternName: 'black',
  under: { hex: '#d8a99b' },
}));

function woolly(id: string, wnid: string | undefined): Species {
  return animal(id, wnid, (rng) => ({
    coat: anyTone(rng, ['white', 'white', 'grey', 'black']),
    bodyLength: 62,
    bodyDepth: 44,
    tuck: 0,
    legLength: 42,
    legWidth: 3.8,
    neckLength: 13,
    neckWidth: 11,
    neckRise: 0.5,
    headSize: 10.5,
    snoutLength: 9,
    snoutDepth: 9,
    ears: 'leaf',
    tail: 'short',
    horns: 'ram',
    hooves: true,
    splitLegs: true,
    longSnout: true,
    under: { hex: '#4a4140' },
  }));
}

export const sheep = woolly('sheep', undefined);
export const ram = woolly('ram', 'n02412080');
