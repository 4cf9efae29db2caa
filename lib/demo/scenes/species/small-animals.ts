import { bird } from '../figures/bird';
import { fish } from '../figures/fish';
import { frog } from '../figures/frog';
import { lizard, snake } from '../figures/reptiles';
import { anyTone, type ColourName, darken, lighten, tone } from '../palette';
import type { Rng } from '../prng';
import type { Species } from './animal';

const DARK_EYES = ['#1d1714', '#241c18'];

function eyes(rng: Rng, bright: readonly string[], brightShare: number) {
  const coloured = rng.bernoulli(brightShare);
  return { hex: rng.pick(coloured ? bright : DARK_EYES), coloured };
}

interface Plumage {
  body: readonly ColourName[];
  wing: readonly ColourName[];
  breast: readonly ColourName[];
  beakLength: number;
  neckLength: number;
  legLength: number;
  plump: number;
}

function birdSpecies(id: string, wnid: string | undefined, plumage: Plumage): Species {
  return {
    id,
    ...(wnid ? { wnid } : {}),
    draw: (stance) => {
      const { rng } = stance;
      return bird(
        {
          body: anyTone(rng, plumage.body),
          breast: anyTone(rng, plumage.breast),
          wing: anyTone(rng, plumage.wing),
          crown: tone(rng, rng.pick(['red', 'black', 'brown'] as const)),
          beak: { hex: rng.pick(['#d8923a', '#c9a45c', '#6b5c50']) },
          eye: eyes(rng, ['#d8b13a', '#c8542f', '#7fae4a'], 0.3),
          beakLength: plumage.beakLength * rng.between(0.9, 1.15),
          neckLength: plumage.neckLength,
          legLength: plumage.legLength,
          plump: plumage.plump * rng.between(0.92, 1.08),
          patterned: rng.bernoulli(0.55),
          flying: rng.bernoulli(stance.surface === 'air' ? 0.9 : 0.22),
        },
        stance,
      );
    },
  };
}

const FINCH = { beakLength: 9, neckLength: 0, legLength: 13, plump: 1 };

export const finches = [
  birdSpecies('goldfinch', 'n01531178', {
    ...FINCH,
    body: ['yellow', 'brown'],
    breast: ['yellow', 'white'],
    wing: ['black', 'yellow'],
  }),
  birdSpecies('house-finch', 'n01532829', {
    ...FINCH,
    body: ['brown', 'red'],
    breast: ['red', 'grey'],
    wing: ['brown', 'grey'],
  }),
];

const WADER = { beakLength: 20, neckLength: 22, legLength: 44, plump: 0.95 };

export const otherBirds = [
  birdSpecies('kite', 'n01608432', {
    ...FINCH,
    beakLength: 8,
    plump: 0.95,
    body: ['brown', 'grey'],
    breast: ['white', 'brown'],
    wing: ['brown', 'black'],
  }),
  birdSpecies('little-blue-heron', 'n02009229', {
    ...WADER,
    body: ['blue', 'grey'],
    breast: ['blue', 'grey'],
    wing: ['blue'],
  }),
  birdSpecies('american-egret', 'n02009912', {
    ...WADER,
    neckLength: 28,
    body: ['white'],
    breast: ['white'],
    wing: ['white'],
  }),
  birdSpecies('jacamar', 'n01843065', {
    ...FINCH,
    beakLength: 17,
    body: ['green', 'blue'],
    breast: ['orange', 'red'],
    wing: ['green', 'blue'],
  }),
];

function frogSpecies(id: string, wnid: string, skins: readonly ColourName[], patterned: number): Species {
  return {
    id,
    wnid,
    draw: (stance) => {
      const { rng } = stance;
      const skin = anyTone(rng, skins);
      return frog(
        {
          skin,
          belly: { hex: rng.pick(['#e7dfb8', '#d9d8b0', '#f0e6cf']) },
          eye: eyes(rng, ['#c9402f', '#d6a62d', '#7fb050'], 0.7),
          patterned: rng.bernoulli(patterned),
          patternHex: darken(skin.hex, 0.5),
          wet: rng.bernoulli(0.45),
        },
        stance,
      );
    },
  };
}

export const frogs = [
  frogSpecies('tailed-frog', 'n01644900', ['brown', 'grey', 'green'], 0.7),
  frogSpecies('tree-frog', 'n01644373', ['green', 'green', 'orange', 'blue'], 0.25),
];

function fishSpecies(
  id: string,
  wnid: string,
  skins: readonly ColourName[],
  depth: number,
  striped: number,
  shark = false,
): Species {
  return {
    id,
    wnid,
    traits: ['wet'],
    draw: (stance) => {
      const { rng } = stance;
      const skin = anyTone(rng, skins);
      return fish(
        {
          skin,
          belly: { hex: shark ? '#e7ecef' : lighten(skin.hex, 0.55) },
          fin: shark ? skin : { ...skin, hex: darken(skin.hex, 0.18) },
          depth: depth * rng.between(0.9, 1.1),
          striped: rng.bernoulli(striped),
          shark,
        },
        stance,
      );
    },
  };
}

export const fishes = [
  fishSpecies('goldfish', 'n01443537', ['orange', 'red', 'yellow'], 20, 0),
  fishSpecies('anemone-fish', 'n02607072', ['orange'], 22, 1),
  fishSpecies('tench', 'n01440764', ['green', 'brown'], 17, 0.2),
  fishSpecies('great-white-shark', 'n01484850', ['grey', 'blue'], 13, 0, true),
];

function snakeSpecies(id: string, wnid: string, skins: readonly ColourName[]): Species {
  return {
    id,
    wnid,
    draw: (stance) => {
      const skin = anyTone(stance.rng, skins);
      const pattern = stance.rng.pick(['stripes', 'spots', 'none'] as const);
      return snake({ skin, pattern, patternHex: darken(skin.hex, 0.55) }, stance);
    },
  };
}

export const snakes = [
  snakeSpecies('green-snake', 'n01729977', ['green']),
  snakeSpecies('king-snake', 'n01734418', ['red', 'orange', 'yellow']),
  snakeSpecies('boa', 'n01742172', ['brown', 'grey']),
];

function lizardSpecies(id: string, wnid: string, skins: readonly ColourName[], crocodile = false): Species {
  return {
    id,
    wnid,
    draw: (stance) => {
      const skin = anyTone(stance.rng, skins);
      const pattern = crocodile ? 'none' : stance.rng.pick(['stripes', 'spots', 'none'] as const);
      return lizard(
        { skin, pattern, patternHex: darken(skin.hex, 0.5), jaw: crocodile ? 22 : 4, ridged: crocodile },
        stance,
      );
    },
  };
}

export const lizards = [
  lizardSpecies('green-lizard', 'n01693334', ['green']),
  lizardSpecies('agama', 'n01687978', ['orange', 'blue', 'brown']),
  lizardSpecies('african-crocodile', 'n01697457', ['green', 'grey'], true),
];
