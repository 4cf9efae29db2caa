import type { Stance } from '../figure';
import { humanoid } from '../figures/humanoid';
import type { HumanoidBuild } from '../figures/humanoid-head';
import { rider } from '../figures/rider';
import { anyTone, type ColourName, tone } from '../palette';
import type { Rng } from '../prng';
import type { Species } from './animal';

const SKINS = ['#f0cdb0', '#e0ac86', '#c58a62', '#8d5a3c', '#6b4430'] as const;
const CLOTHES: readonly ColourName[] = [
  'red',
  'blue',
  'green',
  'white',
  'black',
  'grey',
  'yellow',
  'orange',
  'brown',
];
const TROUSERS: readonly ColourName[] = ['blue', 'black', 'grey', 'brown'];

function walker({ rng }: Stance, fromBehind: boolean): HumanoidBuild {
  return {
    skin: { hex: rng.pick(SKINS) },
    top: anyTone(rng, CLOTHES),
    bottom: anyTone(rng, TROUSERS),
    shoe: { hex: rng.pick(['#2c2a2e', '#5b3f2c', '#e8e4da']) },
    hair: anyTone(rng, ['black', 'brown', 'brown', 'yellow', 'grey']),
    eye: { hex: '#f6f2ea' },
    ape: false,
    fromBehind,
    headSize: rng.between(8.2, 9.4),
    legLength: rng.between(42, 48),
    armLength: rng.between(35, 39),
    shoulder: rng.between(10.5, 12.5),
    finish: 'cloth',
  };
}

export const person: Species = {
  id: 'person',
  draw: (stance) => humanoid(walker(stance, stance.rng.bernoulli(0.25)), stance),
};

/** Towards the viewer only: the fine parts of a face need a face. */
export const portraitPerson: Species = {
  id: 'portrait',
  draw: (stance) => humanoid(walker(stance, false), stance),
};

export const bicycleRider: Species = {
  id: 'rider',
  draw: (stance) => {
    const { rng } = stance;
    return rider(
      {
        frame: anyTone(rng, CLOTHES),
        saddle: tone(rng, 'black'),
        skin: { hex: rng.pick(SKINS) },
        top: anyTone(rng, CLOTHES),
        bottom: anyTone(rng, TROUSERS),
        helmet: anyTone(rng, CLOTHES),
      },
      stance,
    );
  },
};

function ape(
  id: string,
  wnid: string,
  furs: readonly ColourName[],
  shape: (rng: Rng) => Partial<HumanoidBuild>,
): Species {
  return {
    id,
    wnid,
    draw: (stance) => {
      const { rng } = stance;
      const fur = anyTone(rng, furs);
      const skin = { hex: rng.pick(['#d8b08f', '#a67c5f', '#6f5647']) };
      const build: HumanoidBuild = {
        skin,
        top: fur,
        bottom: fur,
        shoe: skin,
        hair: fur,
        eye: { hex: '#d9b27a' },
        ape: true,
        fromBehind: false,
        headSize: 11,
        legLength: 24,
        armLength: 38,
        shoulder: 13,
        finish: 'fur',
        ...shape(rng),
      };
      return humanoid(build, stance);
    },
  };
}

export const apes = [
  ape('chimpanzee', 'n02481823', ['black', 'brown'], () => ({ armLength: 42, legLength: 22 })),
  ape('orangutan', 'n02480495', ['orange'], () => ({ armLength: 46, legLength: 20, shoulder: 15 })),
  ape('macaque', 'n02487347', ['brown', 'grey'], () => ({ headSize: 10.5 })),
];
