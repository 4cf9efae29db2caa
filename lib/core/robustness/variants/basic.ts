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

/** The clean picture. */
export const identity = (): Variant => ({
  id: 'identity',
  version: 1,
  description: 'The clean picture.',
  paradigm: 'evaluation set',
  needs: [],
  parameters: {},
  cells: SINGLE_CELL,
  runs: 1,
  apply: ({ picture }) => ({ picture }),
});

/**
 * Restricts a variant to the object or the background; all other pixels stay bit-identical. Both restrictions share the
 * random numbers of the unrestricted variant.
 */
export const restrictToRegion = (inner: Variant, where: 'object' | 'background'): Variant => ({
  ...inner,
  id: `${inner.id}.${where}`,
  description: `${inner.description} ${where === 'object' ? 'In the object only.' : 'In the background only.'}`,
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

/** Fills the object or the background with gray. */
export const grayRegion = (where: 'object' | 'background'): Variant => ({
  id: `gray.${where}`,
  version: 1,
  description: where === 'object' ? 'The object is gray.' : 'All but the object is gray.',
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

/** Fills one attribute with gray. The level is the attribute id. */
export const grayAttributes = (attributes: readonly string[]): Variant => ({
  id: 'gray.attribute',
  version: 1,
  description: 'One attribute is gray.',
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
