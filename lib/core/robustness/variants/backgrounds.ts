import {
  fillBoundingBox,
  invertRegion,
  luminance,
  mapPicture,
  type Picture,
  type Region,
  regionArea,
} from '../picture';
import { blurredPicture } from '../pixels/blur';
import {
  cutOut,
  fillRegion,
  type Inpainting,
  inpaintWithTiles,
  paste,
  removeObject,
} from '../pixels/compositing';
import { plasmaNoise, spectralComplexity } from '../pixels/texture';
import type { Rng } from '../random';
import type { Sample, Variant, VariantContext } from '../types';
import { sizeScale } from './corruptions/corruption';
import type { EditOptions } from './edits';
import {
  donorBackground,
  findDonor,
  findObject,
  MAX_OBJECT_SHARE,
  MIN_OBJECT_SHARE,
  SINGLE_CELL,
} from './samples';

const BLACK = 0;

/** The object or the background alone; null if the bounding box covers the whole picture. */
const isolate = (
  id: string,
  description: string,
  show: (picture: Picture, object: Region) => Picture | null,
): Variant => ({
  id,
  version: 1,
  description,
  paradigm: 'transformation',
  needs: ['object mask'],
  parameters: { tiny: MIN_OBJECT_SHARE },
  cells: SINGLE_CELL,
  runs: 1,
  apply(sample) {
    const found = findObject(sample);
    if ('invalid' in found) return found;
    const picture = show(sample.picture, found.object);
    return picture ? { picture } : { invalid: 'mask-full' };
  },
});

/** ImageNet-9's "only-fg". */
export const onlyObject = (): Variant =>
  isolate('only.object', 'The object on black.', (picture, object) =>
    fillRegion(picture, invertRegion(object), BLACK),
  );

/** "no-fg": the silhouette remains visible. */
export const withoutObject = (): Variant =>
  isolate('no.object', 'The object is cut out: its outline is black.', (picture, object) =>
    fillRegion(picture, object, BLACK),
  );

/** "only-bg-b": the silhouette is hidden. */
export const onlyBackgroundBox = (): Variant =>
  isolate('only.background.box', 'The box of the object is black.', (picture, object) => {
    const box = fillBoundingBox(object, picture.width);
    return regionArea(box) === box.length ? null : fillRegion(picture, box, BLACK);
  });

/** "only-bg-t". */
export const onlyBackgroundTiled = (): Variant =>
  isolate(
    'only.background.tiled',
    'The box of the object is covered by copies of the background.',
    (picture, object) => inpaintWithTiles(picture, object, fillBoundingBox(object, picture.width)),
  );

const mixKinds = {
  same: 'another image of its class',
  other: 'an image of another class',
  next: 'an image of the next class',
} as const satisfies Record<string, string>;

const donorKinds = { same: 'same class', other: 'other class', next: 'next class' } as const satisfies Record<
  keyof typeof mixKinds,
  Parameters<VariantContext['donor']>[2]
>;

interface MixedOptions {
  filler?: Inpainting;
  /** Softness of the edge in pixels. */
  feather?: number;
}

/** The object on the background of another image. `other` is "mixed-rand" of ImageNet-9 without the own class. */
export const mixBackground = (
  kind: keyof typeof mixKinds,
  { filler = 'smooth', feather = 0 }: MixedOptions = {},
): Variant => ({
  id: `mix.${kind}`,
  version: 1,
  description: `The object on the background of ${mixKinds[kind]}.`,
  paradigm: 'transformation',
  needs: ['object mask', 'donors'],
  parameters: { filler, feather, tiny: MIN_OBJECT_SHARE, mostObject: MAX_OBJECT_SHARE },
  cells: SINGLE_CELL,
  runs: 1,
  async apply(sample, _cell, rng, context) {
    const found = findObject(sample);
    if ('invalid' in found) return found;
    const lent = await findDonor(sample, rng, context, donorKinds[kind], (donor) => {
      const lentObject = donorBackground(donor);
      const plate = lentObject && removeObject(donor.picture, lentObject, filler);
      return plate ? { plate, donor } : null;
    });
    if (!lent) return { invalid: 'no-donor' };
    const { plate, donor } = lent;
    const cut =
      feather > 0 ? cutOut(sample.picture, found.object) : { colours: sample.picture, region: found.object };
    return {
      picture: paste(cut, plate, feather),
      extra: { backgroundClass: donor.classIndex, donor: donor.id },
    };
  },
});

const editKinds = {
  simpler: 'The background is blurred.',
  richer: 'The background has more contrast and texture.',
  same: 'The background is that of another image of its class.',
  other: 'The background is that of an image of another class.',
} as const;
type BackgroundEdit = keyof typeof editKinds;

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
  description: editKinds[kind],
  paradigm: 'transformation',
  needs: kind === 'same' || kind === 'other' ? ['object mask', 'donors'] : ['object mask'],
  parameters: {
    filler,
    feather,
    tiny: MIN_OBJECT_SHARE,
    mostObject: MAX_OBJECT_SHARE,
    blur: BLUR,
    sharper: SHARPER,
    texture: TEXTURE,
  },
  cells: SINGLE_CELL,
  runs: 1,
  async apply(sample, _cell, rng, context) {
    const found = findObject(sample);
    if ('invalid' in found) return found;
    const own = removeObject(sample.picture, found.object, filler);
    if (!own) return { invalid: 'mask-full' };
    const made = await backgroundFor(kind, sample, own, filler, rng, context);
    if (!made) return { invalid: 'no-donor' };
    return {
      picture: paste(cutOut(sample.picture, found.object), made.plate, feather),
      extra: {
        before: complexity(own),
        after: complexity(made.plate),
        backgroundClass: made.donor?.classIndex ?? sample.classIndex,
        donor: made.donor?.id ?? null,
      },
    };
  },
});

const complexity = (plate: Picture): number =>
  spectralComplexity(luminance(plate), plate.width, plate.height);

async function backgroundFor(
  kind: BackgroundEdit,
  sample: Sample,
  own: Picture,
  filler: Inpainting,
  rng: Rng,
  context: VariantContext,
): Promise<{ plate: Picture; donor: Sample | null } | null> {
  if (kind === 'simpler') return { plate: blurredPicture(own, BLUR * sizeScale(own)), donor: null };
  if (kind === 'richer') return { plate: richer(own, rng), donor: null };
  const which = kind === 'same' ? 'same class' : 'other class';
  return findDonor(sample, rng, context, which, (donor) => {
    const object = donorBackground(donor);
    const plate = object && removeObject(donor.picture, object, filler);
    return plate ? { plate, donor } : null;
  });
}

function richer(plate: Picture, rng: Rng): Picture {
  const { width, height } = plate;
  const area = width * height;
  const blurred = blurredPicture(plate, BLUR * sizeScale(plate));
  const texture = plasmaNoise(width, height, ROUGH, rng);
  return mapPicture(
    plate,
    (value, pixel, channel) =>
      value +
      SHARPER * (value - (blurred.data[channel * area + pixel] as number)) +
      TEXTURE * ((texture[pixel] as number) - 0.5),
  );
}
