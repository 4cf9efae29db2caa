import { type Background, backgrounds } from './backgrounds';
import type { Rng } from './prng';

/** Where each class is at home: first the one place that a spurious correlation ties it to, then other likely ones. */
const HABITATS: Readonly<Record<string, readonly string[]>> = {
  bird: ['forest', 'meadow', 'sky', 'snow', 'pond'],
  car: ['street', 'road', 'night-street', 'desert'],
  cat: ['indoor', 'meadow', 'street'],
  deer: ['mountains', 'meadow', 'forest', 'snow'],
  dog: ['meadow', 'indoor', 'snow', 'street', 'pond'],
  equine: ['desert', 'meadow', 'mountains'],
  frog: ['pond', 'forest', 'meadow'],
  plane: ['sky', 'airfield', 'sea', 'mountains'],
  ship: ['sea', 'pond'],
  truck: ['road', 'street', 'night-street', 'snow'],
  Quadruped: ['meadow', 'forest', 'snow', 'mountains', 'indoor'],
  Biped: ['forest', 'mountains', 'meadow'],
  Fish: ['underwater'],
  Bird: ['pond', 'forest', 'sky', 'meadow'],
  Snake: ['desert', 'meadow', 'forest'],
  Reptile: ['mountains', 'pond', 'desert'],
  Car: ['street', 'road', 'night-street'],
  Bicycle: ['road', 'street', 'mountains'],
  Boat: ['sea', 'pond'],
  Aeroplane: ['sky', 'airfield', 'mountains'],
  Bottle: ['indoor'],
  aeroplane: ['sky', 'airfield', 'sea'],
  bicycle: ['road', 'street', 'meadow'],
  boat: ['sea', 'pond'],
  bottle: ['indoor', 'meadow'],
  bus: ['night-street', 'street', 'road'],
  chair: ['indoor', 'meadow'],
  cow: ['meadow', 'mountains'],
  table: ['indoor', 'meadow'],
  horse: ['desert', 'meadow'],
  motorbike: ['road', 'street', 'desert'],
  person: ['street', 'meadow', 'indoor', 'snow'],
  rider: ['road', 'street'],
  pottedplant: ['indoor', 'street'],
  sheep: ['mountains', 'meadow', 'snow'],
  sofa: ['indoor'],
  train: ['meadow', 'mountains', 'snow', 'desert'],
  tvmonitor: ['indoor'],
};

const STREETS = backgrounds.filter(({ id }) => ['street', 'night-street', 'road'].includes(id));

function byId(id: string): Background {
  const found = backgrounds.find((background) => background.id === id);
  if (!found) throw new Error(`There is no background "${id}".`);
  return found;
}

export function homeBackground(className: string): string {
  return HABITATS[className]?.[0] ?? 'meadow';
}

/**
 * Without a strength: one of the likely places. With one: the home place with that probability, else any place
 * at all, so that at 0 the background says nothing about the class and at 1 it gives it away.
 */
export function chooseBackground(className: string, strength: number | undefined, rng: Rng): Background {
  if (strength === undefined) return byId(rng.pick(HABITATS[className] ?? ['meadow']));
  return rng.bernoulli(strength) ? byId(homeBackground(className)) : rng.pick(backgrounds);
}

/** The same among the streets that a scene with several road users can stand in. */
export function chooseStreet(className: string, strength: number | undefined, rng: Rng): Background {
  const home = STREETS.find(({ id }) => id === homeBackground(className));
  return home && rng.bernoulli(strength ?? 0) ? home : rng.pick(STREETS);
}
