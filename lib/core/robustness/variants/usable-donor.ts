import type { Stream } from '../random/stream';
import { type Region, regionArea } from '../region';
import type { Sample, Surroundings } from '../types';
import { fitSample } from './fit-sample';
import { objectOf } from './object-of';

/** Donors that are asked for before giving up: a draw may meet one that will not do. */
const DRAWS = 16;
/** Of a picture that is object beyond this share, too little background is left to lend. */
export const MOST_OBJECT = 0.6;

/** The first drawn donor that `use` makes something of, at the size of the sample; null where none does. */
export async function usableDonor<T>(
  sample: Sample,
  chance: Stream,
  around: Pick<Surroundings, 'donor'>,
  which: Parameters<Surroundings['donor']>[2],
  use: (donor: Sample) => T | null,
): Promise<T | null> {
  const { width, height } = sample.picture;
  for (let draw = 0; draw < DRAWS; draw++) {
    const donor = await around.donor(sample, chance, which);
    if (!donor) return null;
    // Neither itself, nor across splits: what was trained on must not enter what is tested.
    if (donor.id === sample.id || donor.split !== sample.split) continue;
    const used = use(fitSample(donor, width, height));
    if (used !== null) return used;
  }
  return null;
}

/** The object of a donor of a background; null where it covers too much, or nobody drew it. */
export function lentBackground(donor: Sample): Region | null {
  const found = objectOf(donor);
  if ('invalid' in found) return null;
  return regionArea(found.object) > MOST_OBJECT * found.object.length ? null : found.object;
}
