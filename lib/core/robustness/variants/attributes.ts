import { argmax, softmax } from '../logits';
import { type Picture, type Region, regionArea, regionBox } from '../picture';
import { composite, cutOut, paste } from '../pixels/compositing';
import type { Outcome, Sample, Variant, VariantContext } from '../types';
import { moveCutOut, scaleAbout } from './affine';
import { createCells, findAttribute, findDonor, WHOLE_OBJECT_SHARE } from './samples';

/** Of a part that must touch the object, at least this share lies on it. */
const TOUCHING = 0.7;

interface InsertOptions {
  /** At its own coordinates, or where the box of the one object goes when it is fitted to that of the other. */
  placement?: 'original' | 'fitted';
  /** Only where most of it lies on the object of the other image. */
  mustTouchObject?: boolean;
  /** Softness of the edge in pixels. */
  feather?: number;
}

/**
 * One attribute of the sample laid on an image without it. The picture is the other image's: the row's true class is that
 * of the sample, so that `pTrue` is what the part alone tells of where it comes from. What the part does to the other
 * image is in `extra`: it is asked about before and after.
 */
export const insertAttributes = (
  attributes: readonly string[],
  { placement = 'original', mustTouchObject = false, feather = 0 }: InsertOptions = {},
): Variant => ({
  id: 'attribute.insert',
  version: 2,
  says: 'One attribute is laid on an image that does not have it.',
  paradigm: 'transformation',
  needs: ['attributes', 'attribute masks', 'object mask', 'donors'],
  parameters: { placement, mustTouchObject, feather, whole: WHOLE_OBJECT_SHARE },
  cells: createCells(attributes),
  runs: 3,
  async apply(sample, { level }, rng, context) {
    const attribute = String(level);
    const found = findAttribute(sample, attribute);
    if ('invalid' in found) return found;
    const laid = await findDonor(sample, rng, context, { without: attribute }, (donor) => {
      const picture = insertAttribute(donor, sample, found, { placement, mustTouchObject, feather });
      return picture && { picture, donor };
    });
    return laid ? measured(laid, sample, context, attribute) : { invalid: 'no-donor' };
  },
});

/** How far the part moves the other image towards its own class, and towards the class that usually has the attribute. */
async function measured(
  { picture, donor }: { picture: Picture; donor: Sample },
  { classIndex }: Sample,
  context: VariantContext,
  attribute: string,
): Promise<Outcome> {
  const [before, after] = (await context.query([donor.picture, picture])).map(softmax);
  if (!before || !after) return { invalid: 'not-finite' };
  const typical = context.typicalClass(attribute);
  const rise = (at: number) => (after[at] as number) - (before[at] as number);
  return {
    picture,
    extra: {
      donor: donor.id,
      donorClass: donor.classIndex,
      ownRise: rise(classIndex),
      // An image of that class is where it would be moved to already.
      rise: typical === null || typical === donor.classIndex ? null : rise(typical),
      isFlipped: Number(argmax(before) !== argmax(after)),
    },
  };
}

function insertAttribute(
  donor: Sample,
  sample: Sample,
  { region, object }: { region: Region; object: Region },
  { placement, mustTouchObject, feather }: Required<InsertOptions>,
): Picture | null {
  const { width } = sample.picture;
  if (placement === 'original') {
    if (mustTouchObject && !touches(region, donor.object)) return null;
    return feather > 0
      ? paste(cutOut(sample.picture, region), donor.picture, feather)
      : composite(sample.picture, donor.picture, region);
  }
  const [from, to] = [regionBox(object, width), donor.object && regionBox(donor.object, width)];
  if (!from || !to) return null;
  const centre = (box: typeof from) => [box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2] as const;
  const scale = Math.min(to.width / from.width, to.height / from.height);
  const cut = moveCutOut(cutOut(sample.picture, region), scaleAbout(scale, centre(from), centre(to)));
  if (regionArea(cut.region) === 0) return null;
  if (mustTouchObject && !touches(cut.region, donor.object)) return null;
  return paste(cut, donor.picture, feather);
}

function touches(region: Region, object: Region | null): boolean {
  if (!object) return false;
  let on = 0;
  region.forEach((pixel, i) => {
    if (pixel && object[i]) on += 1;
  });
  return on >= TOUCHING * regionArea(region);
}

/** One attribute is covered by what an image without it has at the same place. The level is its id. */
export const removeAttributes = (attributes: readonly string[]): Variant => ({
  id: 'attribute.remove',
  version: 1,
  says: 'One attribute is covered by what an image without it shows there.',
  paradigm: 'transformation',
  needs: ['attributes', 'attribute masks', 'object mask', 'donors'],
  parameters: { whole: WHOLE_OBJECT_SHARE },
  cells: createCells(attributes),
  runs: 1,
  async apply(sample, { level }, rng, context) {
    const attribute = String(level);
    const found = findAttribute(sample, attribute);
    if ('invalid' in found) return found;
    const donor = await findDonor(sample, rng, context, { without: attribute }, (each) => each);
    if (!donor) return { invalid: 'no-donor' };
    return {
      picture: composite(donor.picture, sample.picture, found.region),
      extra: { donor: donor.id, donorClass: donor.classIndex },
    };
  },
});
