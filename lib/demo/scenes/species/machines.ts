import { bicycle, motorbike } from '../figures/cycle';
import { plane } from '../figures/plane';
import { containerShip, liner, type ShipBuild, sailingBoat } from '../figures/ship';
import { anyTone, type ColourName, tone } from '../palette';
import type { Rng } from '../prng';
import type { Species } from './animal';

function aeroplane(
  id: string,
  wnid: string,
  military: boolean,
  paints: readonly ColourName[],
  accents: readonly ColourName[],
): Species {
  return {
    id,
    wnid,
    draw: (stance) => {
      const { rng } = stance;
      return plane(
        {
          paint: anyTone(rng, paints),
          accent: anyTone(rng, accents),
          military,
          lettered: rng.bernoulli(military ? 0.25 : 0.6),
          striped: rng.bernoulli(0.35),
          gearDown: ['ground', 'street', 'floor'].includes(stance.surface) && rng.bernoulli(0.6),
        },
        stance,
      );
    },
  };
}

export const planes = [
  aeroplane(
    'airliner',
    'n02690373',
    false,
    ['white', 'silver', 'white'],
    ['blue', 'red', 'green', 'orange', 'yellow'],
  ),
  aeroplane('warplane', 'n04552348', true, ['grey', 'green', 'silver'], ['grey', 'green', 'red']),
];

const shipColours = (rng: Rng): ShipBuild => ({
  hull: anyTone(rng, ['black', 'blue', 'red', 'green', 'white']),
  deck: tone(rng, 'white'),
  funnel: anyTone(rng, ['red', 'orange', 'blue', 'yellow']),
  lettered: rng.bernoulli(0.5),
});

export const ships: Species[] = [
  {
    id: 'ocean-liner',
    wnid: 'n03673027',
    draw: (stance) => liner(shipColours(stance.rng), stance),
  },
  {
    id: 'container-ship',
    wnid: 'n03095699',
    draw: (stance) => containerShip(shipColours(stance.rng), stance),
  },
];

function sailer(id: string, wnid: string, masts: 1 | 2): Species {
  return {
    id,
    wnid,
    draw: (stance) =>
      sailingBoat(
        {
          hull: anyTone(stance.rng, ['brown', 'blue', 'white', 'red']),
          sail: anyTone(stance.rng, ['white', 'white', 'orange', 'red']),
          masts,
        },
        stance,
      ),
  };
}

export const sailingBoats = [sailer('yawl', 'n04612504', 1), sailer('schooner', 'n04147183', 2)];

const cycleColours = (rng: Rng) => ({
  frame: anyTone(rng, ['red', 'blue', 'green', 'black', 'orange', 'yellow']),
  saddle: anyTone(rng, ['black', 'brown']),
});

export const pushBike: Species = {
  id: 'mountain-bike',
  wnid: 'n03792782',
  draw: (stance) => bicycle(cycleColours(stance.rng), stance),
};
export const scooter: Species = {
  id: 'motor-scooter',
  wnid: 'n03791053',
  draw: (stance) => motorbike(cycleColours(stance.rng), stance),
};
