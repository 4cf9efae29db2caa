import { invertRegion } from '../picture';
import { composite, fillRegion } from '../pixels/compositing';
import type { Variant } from '../types';
import {
  createCells,
  findAttribute,
  findObject,
  MIN_OBJECT_SHARE,
  SINGLE_CELL,
  WHOLE_OBJECT_SHARE,
} from './samples';

/** The picture as it is: what all others are compared with. */
export const identity = (): Variant => ({
  id: 'identity',
  version: 1,
  says: 'The picture as it is.',
  paradigm: 'evaluation set',
  needs: [],
  parameters: {},
  cells: SINGLE_CELL,
  runs: 1,
  apply: ({ picture }) => ({ picture }),
});

/**
 * Another variant in the object only, or beside it only; the rest stays bit for bit. Both share the chance of the whole
 * one, so that what is seen in one region is what is left out in the other.
 */
export const restrictToRegion = (inner: Variant, where: 'object' | 'background'): Variant => ({
  ...inner,
  id: `${inner.id}.${where}`,
  says: `${inner.says} ${where === 'object' ? 'In the object only.' : 'Beside the object only.'}`,
  needs: [...new Set([...inner.needs, 'object mask' as const])],
  parameters: { ...inner.parameters, where, tiny: MIN_OBJECT_SHARE },
  rngName: inner.rngName ?? inner.id,
  async apply(sample, cell, rng, context) {
    const found = findObject(sample);
    if ('invalid' in found) return found;
    const changed = await inner.apply(sample, cell, rng, context);
    if ('invalid' in changed) return changed;
    return {
      ...changed,
      picture:
        where === 'object'
          ? composite(changed.picture, sample.picture, found.object)
          : composite(sample.picture, changed.picture, found.object),
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
  parameters: { where, tiny: MIN_OBJECT_SHARE },
  cells: SINGLE_CELL,
  runs: 1,
  apply(sample) {
    const found = findObject(sample);
    if ('invalid' in found) return found;
    return {
      picture: fillRegion(sample.picture, where === 'object' ? found.object : invertRegion(found.object)),
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
  parameters: { whole: WHOLE_OBJECT_SHARE },
  cells: createCells(attributes),
  runs: 1,
  apply(sample, { level }) {
    const found = findAttribute(sample, String(level));
    return 'invalid' in found ? found : { picture: fillRegion(sample.picture, found.region) };
  },
});
