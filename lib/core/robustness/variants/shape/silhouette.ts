import { grayPicture } from '../../pixels/planes';
import { invertedRegion } from '../../region';
import type { Variant } from '../../types';
import { ONE_CELL } from '../cells-of';
import { objectOf, TINY } from '../object-of';

/** Nothing but the shape. */
export const silhouette = (): Variant => ({
  id: 'shape.silhouette',
  version: 1,
  says: 'The object in black on white.',
  paradigm: 'transformation',
  needs: ['object mask'],
  parameters: { tiny: TINY },
  cells: ONE_CELL,
  runs: 1,
  apply(sample) {
    const found = objectOf(sample);
    if ('invalid' in found) return found;
    return { picture: grayPicture(sample.picture, invertedRegion(found.object)) };
  },
});
