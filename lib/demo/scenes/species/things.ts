import type { Stance } from '../figure';
import { bottle, chair, pottedPlant, sofa, table, tvMonitor } from '../figures/household';
import { train } from '../figures/train';
import { anyTone, type ColourName } from '../palette';
import type { Species } from './animal';

function vessel(id: string, wnid: string, glasses: readonly ColourName[], slim: number): Species {
  return {
    id,
    wnid,
    draw: (stance) => {
      const { rng } = stance;
      return bottle(
        {
          glass: anyTone(rng, glasses),
          label: { hex: '#f3ecdc' },
          cap: anyTone(rng, ['red', 'blue', 'silver', 'black']),
          labelled: rng.bernoulli(0.7),
          slim: slim * rng.between(0.9, 1.1),
        },
        stance,
      );
    },
  };
}

export const bottles = [
  vessel('beer-bottle', 'n02823428', ['brown', 'green'], 0.9),
  vessel('water-bottle', 'n04557648', ['blue', 'white'], 1.05),
  vessel('wine-bottle', 'n04591713', ['green', 'black', 'red'], 0.85),
];

const wood = ({ rng }: Stance) => anyTone(rng, ['brown', 'brown', 'black', 'white', 'grey'] as const);
const fabric = ({ rng }: Stance) =>
  anyTone(rng, ['red', 'blue', 'green', 'grey', 'yellow', 'orange', 'brown'] as const);

export const chairThing: Species = {
  id: 'chair',
  draw: (s) => chair({ main: wood(s), second: fabric(s) }),
};
export const tableThing: Species = {
  id: 'table',
  draw: (s) => table({ main: wood(s), second: fabric(s) }),
};
export const sofaThing: Species = {
  id: 'sofa',
  draw: (s) => sofa({ main: fabric(s), second: fabric(s) }),
};
export const tvThing: Species = {
  id: 'tvmonitor',
  draw: (s) =>
    tvMonitor({
      main: anyTone(s.rng, ['black', 'grey', 'silver']),
      second: anyTone(s.rng, ['green', 'blue', 'orange']),
    }),
};
export const plantThing: Species = {
  id: 'pottedplant',
  draw: (s) =>
    pottedPlant(
      { main: anyTone(s.rng, ['orange', 'brown', 'white', 'blue']), second: anyTone(s.rng, ['green']) },
      s,
    ),
};

export const trainThing: Species = {
  id: 'train',
  draw: (s) => {
    const { rng } = s;
    const leading = rng.pick(['head', 'head', 'coach'] as const);
    const end = rng.pick(['front', 'front', 'back'] as const);
    return train(
      {
        paint: anyTone(rng, ['red', 'blue', 'green', 'white', 'silver', 'yellow', 'orange']),
        accent: anyTone(rng, ['white', 'yellow', 'red', 'black']),
        leading,
        end,
        // A locomotive seen from behind, or a coach from its front, has nothing coupled to that end.
        alone: (leading === 'head') !== (end === 'front'),
      },
      s,
    );
  },
};
