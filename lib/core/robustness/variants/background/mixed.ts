import type { Surroundings, Variant } from '../../types';
import { ONE_CELL } from '../cells-of';
import { cutOut, pasted } from '../edits/cut-out';
import { objectOf, TINY } from '../object-of';
import { lentBackground, MOST_OBJECT, usableDonor } from '../usable-donor';
import { type Filler, plateOf } from './plate';

const kinds = {
  same: 'another image of its class',
  other: 'an image of another class',
  next: 'an image of the next class',
} as const satisfies Record<string, string>;

const asked = { same: 'same class', other: 'other class', next: 'next class' } as const satisfies Record<
  keyof typeof kinds,
  Parameters<Surroundings['donor']>[2]
>;

export interface MixedOptions {
  filler?: Filler;
  /** Softness of the edge in pixels. */
  feather?: number;
}

/** The object on the background of another image. `other` is ImageNet-9's "mixed-rand" without the own class. */
export const mixed = (
  kind: keyof typeof kinds,
  { filler = 'smooth', feather = 0 }: MixedOptions = {},
): Variant => ({
  id: `mix.${kind}`,
  version: 1,
  says: `The object on the background of ${kinds[kind]}.`,
  paradigm: 'transformation',
  needs: ['object mask', 'donors'],
  parameters: { filler, feather, tiny: TINY, mostObject: MOST_OBJECT },
  cells: ONE_CELL,
  runs: 1,
  async apply(sample, _cell, chance, around) {
    const found = objectOf(sample);
    if ('invalid' in found) return found;
    const lent = await usableDonor(sample, chance, around, asked[kind], (donor) => {
      const lentObject = lentBackground(donor);
      const plate = lentObject && plateOf(donor.picture, lentObject, filler);
      return plate ? { plate, donor } : null;
    });
    if (!lent) return { invalid: 'no-donor' };
    const { plate, donor } = lent;
    const cut =
      feather > 0 ? cutOut(sample.picture, found.object) : { colours: sample.picture, region: found.object };
    return {
      picture: pasted(cut, plate, feather),
      extra: { backgroundClass: donor.classIndex, donor: donor.id },
    };
  },
});
