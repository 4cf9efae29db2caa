import type { Variant } from '../../types';
import { cellsOf } from '../cells-of';
import { composed } from '../compose';
import { attributeOf, WHOLE } from '../object-of';
import { usableDonor } from '../usable-donor';

/** One attribute is covered by what an image without it has at the same place. The level is its id. */
export const removeAttributes = (attributes: readonly string[]): Variant => ({
  id: 'attribute.remove',
  version: 1,
  says: 'One attribute is covered by what an image without it shows there.',
  paradigm: 'transformation',
  needs: ['attributes', 'attribute masks', 'object mask', 'donors'],
  parameters: { whole: WHOLE },
  cells: cellsOf(attributes),
  runs: 1,
  async apply(sample, { level }, chance, around) {
    const attribute = String(level);
    const found = attributeOf(sample, attribute);
    if ('invalid' in found) return found;
    const donor = await usableDonor(sample, chance, around, { without: attribute }, (each) => each);
    if (!donor) return { invalid: 'no-donor' };
    return {
      picture: composed(donor.picture, sample.picture, found.region),
      extra: { donor: donor.id, donorClass: donor.classIndex },
    };
  },
});
