import { invertedRegion } from '../picture';
import { composed, filled } from '../pixels/compositing';
import type { Variant } from '../types';
import { attributeOf, cellsOf, ONE_CELL, objectOf, TINY, WHOLE } from './samples';

/** The picture as it is: what all others are compared with. */
export const identity = (): Variant => ({
  id: 'identity',
  version: 1,
  says: 'The picture as it is.',
  paradigm: 'evaluation set',
  needs: [],
  parameters: {},
  cells: ONE_CELL,
  runs: 1,
  apply: ({ picture }) => ({ picture }),
});

/**
 * Another variant in the object only, or beside it only; the rest stays bit for bit. Both share the chance of the whole
 * one, so that what is seen in one region is what is left out in the other.
 */
export const masked = (inner: Variant, where: 'object' | 'background'): Variant => ({
  ...inner,
  id: `${inner.id}.${where}`,
  says: `${inner.says} ${where === 'object' ? 'In the object only.' : 'Beside the object only.'}`,
  needs: [...new Set([...inner.needs, 'object mask' as const])],
  parameters: { ...inner.parameters, where, tiny: TINY },
  streams: inner.streams ?? inner.id,
  async apply(sample, cell, chance, around) {
    const found = objectOf(sample);
    if ('invalid' in found) return found;
    const changed = await inner.apply(sample, cell, chance, around);
    if ('invalid' in changed) return changed;
    return {
      ...changed,
      picture:
        where === 'object'
          ? composed(changed.picture, sample.picture, found.object)
          : composed(sample.picture, changed.picture, found.object),
    };
  },
});

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
