import { invertedRegion } from '../region';
import type { Variant } from '../types';
import { cellsOf, ONE_CELL } from './cells-of';
import { filled } from './compose';
import { attributeOf, objectOf, TINY, WHOLE } from './object-of';

/** The object, or all beside it, in medium gray. */
export const grayRegion = (where: 'object' | 'background'): Variant => ({
  id: `gray.${where}`,
  version: 1,
  says: where === 'object' ? 'The object is gray.' : 'All but the object is gray.',
  paradigm: 'transformation',
  needs: ['object mask'],
  parameters: { where, tiny: TINY },
  cells: ONE_CELL,
  runs: 1,
  apply(sample) {
    const found = objectOf(sample);
    if ('invalid' in found) return found;
    return {
      picture: filled(sample.picture, where === 'object' ? found.object : invertedRegion(found.object)),
    };
  },
});

/** One attribute at a time in medium gray, where it is drawn and is not the whole object. The level is its id. */
export const grayAttributes = (attributes: readonly string[]): Variant => ({
  id: 'gray.attribute',
  version: 1,
  says: 'One attribute is gray.',
  paradigm: 'transformation',
  needs: ['attributes', 'attribute masks', 'object mask'],
  parameters: { whole: WHOLE },
  cells: cellsOf(attributes),
  runs: 1,
  apply(sample, { level }) {
    const found = attributeOf(sample, String(level));
    return 'invalid' in found ? found : { picture: filled(sample.picture, found.region) };
  },
});
