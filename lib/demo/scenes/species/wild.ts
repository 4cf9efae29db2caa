import { anyTone, tone } from '../palette';
import { animal, eyes } from './animal';

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
