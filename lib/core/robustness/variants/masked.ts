import type { Variant } from '../types';
import { composed } from './compose';
import { objectOf, TINY } from './object-of';

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
