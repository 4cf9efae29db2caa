import type { Picture } from '../../picture';
import { mirroredBetween } from '../../pixels/edge';
import { warped } from '../../pixels/warped';
import type { Variant } from '../../types';
import { ONE_CELL } from '../cells-of';
import { composed, filled } from '../compose';
import { objectOf, TINY } from '../object-of';
import { usableDonor } from '../usable-donor';
import { largestSquare } from './largest-square';

/** Smaller crops, in pixels, are colours and not textures. */
const SMALLEST_CROP = 4;
const WHITE = 1;

/**
 * The shape of one class filled with the texture of another (Geirhos et al. 2019): a square out of the other object,
 * mirrored over the plane and turned by chance, on white.
 */
export const filledSilhouette = (): Variant => ({
  id: 'shape.texture',
  version: 1,
  says: 'The outline of the object, filled with the texture of an object of another class, on white.',
  paradigm: 'transformation',
  needs: ['object mask', 'donors'],
  parameters: { tiny: TINY, smallestCrop: SMALLEST_CROP },
  cells: ONE_CELL,
  runs: 1,
  async apply(sample, _cell, chance, around) {
    const found = objectOf(sample);
    if ('invalid' in found) return found;
    const lent = await usableDonor(sample, chance, around, 'other class', (donor) => {
      const square = donor.object && largestSquare(donor.object, donor.picture.width);
      return square && square.side >= SMALLEST_CROP ? { square, donor } : null;
    });
    if (!lent) return { invalid: 'no-donor' };
    const { square, donor } = lent;
    const texture = papered(donor.picture, square, 2 * Math.PI * chance.unit());
    return {
      picture: composed(
        texture,
        filled(
          sample.picture,
          found.object.map(() => 1),
          WHITE,
        ),
        found.object,
      ),
      extra: { textureClass: donor.classIndex, donor: donor.id },
    };
  },
});

/** The plane covered by a square of a picture, mirrored at its edges, turned about the middle. */
function papered(picture: Picture, square: { x: number; y: number; side: number }, angle: number): Picture {
  const { width, height } = picture;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [cx, cy] = [(width - 1) / 2, (height - 1) / 2];
  const within = (at: number) => Math.min(Math.max(mirroredBetween(at, square.side), 0), square.side - 1);
  return warped(picture, (place) => {
    const dx = place.x - cx;
    const dy = place.y - cy;
    place.x = square.x + within(cos * dx + sin * dy);
    place.y = square.y + within(cos * dy - sin * dx);
  });
}
