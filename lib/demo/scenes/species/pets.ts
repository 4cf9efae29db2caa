import type { QuadrupedBuild } from '../figures/quadruped-build';
import { anyTone, type ColourName, darken, tone } from '../palette';
import { animal, BROWN_EYES, eyes, type Species } from './animal';

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
        coat.name !== 'black' && coat.name !== 'white' && rng.bernoulli(fluffy ? 0.2 : 0.7)
          ? 'stripes'
          : 'none',
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
    face: rng.bernoulli(0.3) ? 'front' : 'side',
    eye: eyes(rng, [...BROWN_EYES, ...BROWN_EYES, '#6ea3c9']),
  }));
}

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
