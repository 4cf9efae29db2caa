import { mapPicture, type Picture } from '../../picture';
import { meanWave } from '../../pixels/fourier';
import { blurredPicture } from '../../pixels/gaussian-blur';
import { luminance } from '../../pixels/planes';
import { plasma } from '../../pixels/plasma';
import type { Stream } from '../../random/stream';
import type { Sample, Surroundings, Variant } from '../../types';
import { type Filler, plateOf } from '../background/plate';
import { ONE_CELL } from '../cells-of';
import { sizeScale } from '../corruptions/corruption';
import { objectOf, TINY } from '../object-of';
import { lentBackground, MOST_OBJECT, usableDonor } from '../usable-donor';
import { cutOut, pasted } from './cut-out';
import type { EditOptions } from './moving-edit';

const kinds = {
  simpler: 'The background is blurred.',
  richer: 'The background has more contrast and texture.',
  same: 'The background is that of another image of its class.',
  other: 'The background is that of an image of another class.',
} as const;
export type BackgroundEdit = keyof typeof kinds;

/** Pixels of a picture of 224. */
const BLUR = 8;
/** How much of what the blur takes away is added instead, and how strong the added texture is. */
const SHARPER = 1;
const TEXTURE = 0.35;
/** Rough, nearly as strong in fine structure as in coarse. */
const ROUGH = 1.15;

/** Another background behind the object. Tells how busy it was before and after, for curves over the difference. */
export const backgroundEdit = (
  kind: BackgroundEdit,
  { filler = 'smooth', feather = 1 }: Omit<EditOptions, 'moves'> = {},
): Variant => ({
  id: `edit.background.${kind}`,
  version: 1,
  says: kinds[kind],
  paradigm: 'transformation',
  needs: kind === 'same' || kind === 'other' ? ['object mask', 'donors'] : ['object mask'],
  parameters: {
    filler,
    feather,
    tiny: TINY,
    mostObject: MOST_OBJECT,
    blur: BLUR,
    sharper: SHARPER,
    texture: TEXTURE,
  },
  cells: ONE_CELL,
  runs: 1,
  async apply(sample, _cell, chance, around) {
    const found = objectOf(sample);
    if ('invalid' in found) return found;
    const own = plateOf(sample.picture, found.object, filler);
    if (!own) return { invalid: 'mask-full' };
    const made = await backgroundFor(kind, sample, own, filler, chance, around);
    if (!made) return { invalid: 'no-donor' };
    return {
      picture: pasted(cutOut(sample.picture, found.object), made.plate, feather),
      extra: {
        before: complexity(own),
        after: complexity(made.plate),
        backgroundClass: made.donor?.classIndex ?? sample.classIndex,
        donor: made.donor?.id ?? null,
      },
    };
  },
});

const complexity = (plate: Picture): number => meanWave(luminance(plate), plate.width, plate.height);

async function backgroundFor(
  kind: BackgroundEdit,
  sample: Sample,
  own: Picture,
  filler: Filler,
  chance: Stream,
  around: Surroundings,
): Promise<{ plate: Picture; donor: Sample | null } | null> {
  if (kind === 'simpler') return { plate: blurredPicture(own, BLUR * sizeScale(own)), donor: null };
  if (kind === 'richer') return { plate: richer(own, chance), donor: null };
  const which = kind === 'same' ? 'same class' : 'other class';
  return usableDonor(sample, chance, around, which, (donor) => {
    const object = lentBackground(donor);
    const plate = object && plateOf(donor.picture, object, filler);
    return plate ? { plate, donor } : null;
  });
}

function richer(plate: Picture, chance: Stream): Picture {
  const { width, height } = plate;
  const area = width * height;
  const blurred = blurredPicture(plate, BLUR * sizeScale(plate));
  const texture = plasma(width, height, ROUGH, chance);
  return mapPicture(
    plate,
    (value, pixel, channel) =>
      value +
      SHARPER * (value - (blurred.data[channel * area + pixel] as number)) +
      TEXTURE * ((texture[pixel] as number) - 0.5),
  );
}
