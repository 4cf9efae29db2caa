import type { Stance } from '../figure';
import { quadruped } from '../figures/quadruped';
import type { QuadrupedBuild } from '../figures/quadruped-build';
import { anyTone, type ColourName, darken, lighten, tone } from '../palette';
import type { Rng } from '../prng';
import type { Species } from './species';

type Looks = Partial<QuadrupedBuild> & Pick<QuadrupedBuild, 'coat'>;

const DARK = { hex: '#2a2326' };

function eyes(rng: Rng, colours: readonly string[]): QuadrupedBuild['eye'] {
  const hex = rng.pick(colours);
  return { hex, coloured: hex !== '#3a2418' && hex !== '#1d1714' };
}

const BROWN_EYES = ['#3a2418', '#1d1714'];

const base: Omit<QuadrupedBuild, 'coat' | 'under' | 'eye'> = {
  bodyLength: 62,
  bodyDepth: 30,
  tuck: 0.4,
  legLength: 48,
  legWidth: 4.2,
  neckLength: 20,
  neckWidth: 9,
  neckRise: 0.7,
  headSize: 13,
  snoutLength: 9,
  snoutDepth: 9,
  face: 'side',
  ears: 'pointed',
  tail: 'long',
  hooves: false,
  longSnout: false,
  dark: DARK,
  pattern: 'none',
  patternHex: '#3a2c24',
  finish: 'fur',
};

function animal(
  id: string,
  wnid: string | undefined,
  looks: (rng: Rng) => Looks,
  traits: readonly string[] = [],
): Species {
  return {
    id,
    traits,
    ...(wnid ? { wnid } : {}),
    draw: (stance: Stance) => {
      const chosen = looks(stance.rng);
      const build: QuadrupedBuild = {
        ...base,
        under: {
          hex: lighten(chosen.coat.hex, 0.35),
          ...(chosen.coat.name ? { name: chosen.coat.name } : {}),
        },
        eye: eyes(stance.rng, BROWN_EYES),
        ...chosen,
      };
      const stretch = (value: number) => value * stance.rng.between(0.93, 1.08);
      return quadruped(
        { ...build, bodyLength: stretch(build.bodyLength), legLength: stretch(build.legLength) },
        stance,
      );
    },
  };
}

const CAT_COATS: readonly ColourName[] = ['grey', 'orange', 'black', 'white', 'brown'];

function cat(id: string, wnid: string, fluffy: boolean): Species {
  return animal(id, wnid, (rng) => {
    const coat = anyTone(rng, fluffy ? ['white', 'orange', 'grey'] : CAT_COATS);
    return {
      coat,
      bodyLength: fluffy ? 50 : 54,
      bodyDepth: fluffy ? 28 : 22,
      tuck: fluffy ? 0 : 0.3,
      legLength: fluffy ? 30 : 36,
      legWidth: fluffy ? 4.4 : 3.7,
      neckLength: 15,
      neckWidth: 8,
      neckRise: 0.85,
      headSize: fluffy ? 16.5 : 14.5,
      snoutLength: 3,
      snoutDepth: 6,
      face: 'front',
      tail: fluffy ? 'plume' : 'long',
      eye: eyes(rng, ['#7fb04a', '#d3a531', '#4f93c4', '#8fbf55', '#3a2418']),
      pattern:
        coat.name !== 'black' && coat.name !== 'white' && rng.chance(fluffy ? 0.2 : 0.7) ? 'stripes' : 'none',
      patternHex: darken(coat.hex, 0.55),
      dark: { hex: '#b86b68' },
    };
  });
}

function dog(
  id: string,
  wnid: string | undefined,
  coats: readonly ColourName[],
  tail: QuadrupedBuild['tail'],
): Species {
  return animal(id, wnid, (rng) => ({
    coat: anyTone(rng, coats),
    bodyLength: 58,
    bodyDepth: 27,
    legLength: 44,
    neckLength: 19,
    neckWidth: 9,
    headSize: 12.5,
    snoutLength: 13,
    snoutDepth: 10,
    ears: 'floppy',
    tail,
    longSnout: true,
    face: rng.chance(0.3) ? 'front' : 'side',
    eye: eyes(rng, [...BROWN_EYES, ...BROWN_EYES, '#6ea3c9']),
  }));
}

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
      ...(rng.chance(0.75) ? { horns } : {}),
      pattern: rng.chance(0.3) ? 'spots' : 'none',
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

export const cats = [cat('persian-cat', 'n02123394', true), cat('egyptian-cat', 'n02124075', false)];

export const dogs = [
  dog('labrador', 'n02099712', ['black', 'brown', 'yellow'], 'long'),
  dog('golden-retriever', 'n02099601', ['yellow', 'orange'], 'plume'),
];

export const spottedDog = animal('dalmatian', undefined, (rng) => ({
  coat: tone(rng, 'white'),
  headSize: 12,
  snoutLength: 13,
  snoutDepth: 9.5,
  ears: 'floppy',
  longSnout: true,
  pattern: 'spots',
  patternHex: '#26242a',
  patternName: 'black',
  eye: eyes(rng, BROWN_EYES),
}));

export const deer = [antelope('gazelle', 'n02423022', 'straight'), antelope('impala', 'n02422699', 'lyre')];

export const horse = animal(
  'sorrel',
  'n02389026',
  (rng) => {
    const coat = anyTone(rng, ['brown', 'brown', 'orange', 'black', 'white', 'grey']);
    return {
      ...EQUINE,
      coat,
      maneTone: rng.chance(0.5) ? { hex: '#e6cf9a' } : { hex: '#2b2320', name: 'black' },
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
  pattern: rng.chance(0.7) ? 'patches' : 'none',
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

export const bear = animal('brown-bear', 'n02132136', (rng) => ({
  coat: anyTone(rng, ['brown', 'brown', 'black']),
  bodyLength: 64,
  bodyDepth: 44,
  tuck: 0,
  legLength: 44,
  legWidth: 6.8,
  neckLength: 12,
  neckWidth: 14,
  neckRise: 0.3,
  headSize: 15,
  snoutLength: 9,
  snoutDepth: 9,
  ears: 'round',
  tail: 'stub',
}));

export const fox = animal('arctic-fox', 'n02120079', (rng) => ({
  coat: anyTone(rng, ['white', 'grey', 'white']),
  bodyLength: 52,
  bodyDepth: 22,
  legLength: 35,
  legWidth: 3.2,
  neckLength: 14,
  headSize: 11,
  snoutLength: 11,
  snoutDepth: 7,
  tail: 'plume',
  longSnout: true,
}));

export const tiger = animal('tiger', 'n02129604', (rng) => ({
  coat: tone(rng, 'orange'),
  under: tone(rng, 'white'),
  bodyLength: 72,
  bodyDepth: 32,
  tuck: 0.1,
  legLength: 44,
  legWidth: 5.6,
  neckLength: 16,
  neckWidth: 12,
  neckRise: 0.4,
  headSize: 16,
  face: 'front',
  ears: 'round',
  pattern: 'stripes',
  patternHex: '#2a211d',
  patternName: 'black',
  eye: eyes(rng, ['#c79b2e']),
}));
