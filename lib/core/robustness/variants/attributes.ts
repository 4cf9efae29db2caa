import { argmax, softmax } from '../logits';
import { type Picture, type Region, regionArea, regionBox } from '../picture';
import { composite, cutOut, paste } from '../pixels/compositing';
import type { Outcome, Sample, Variant, VariantContext } from '../types';
import { moveCutOut, scaleAbout } from './affine';
import { createCells, findAttribute, findDonor, WHOLE_OBJECT_SHARE } from './samples';

/** Minimum overlap of an inserted part with the object. */
const TOUCHING = 0.7;

interface InsertOptions {
  /** At its own coordinates, or scaled and moved with the bounding box of the object. */
  placement?: 'original' | 'fitted';
  /** Requires that most of the part lies on the object of the donor. */
  mustTouchObject?: boolean;
  /** Softness of the edge in pixels. */
  feather?: number;
}

/**
 * Inserts an attribute of the sample into an image without it. The picture is that of the donor, but the true class of the
 * row is the class of the sample, so that `pTrue` measures the evidence of the part alone. The effect on the donor is in
 * `extra`.
 */
export const insertAttributes = (
  attributes: readonly string[],
  { placement = 'original', mustTouchObject = false, feather = 0 }: InsertOptions = {},
): Variant => ({
  id: 'attribute.insert',
  version: 2,
  description: 'One attribute is inserted into an image that does not have it.',
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

/** Probability changes of the donor towards the class of the sample and the typical class of the attribute. */
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
      // A donor of the typical class cannot move towards it.
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

/** Covers an attribute with the pixels of an image without it. The level is the attribute id. */
export const removeAttributes = (attributes: readonly string[]): Variant => ({
  id: 'attribute.remove',
  version: 1,
  description: 'One attribute is covered with the pixels of an image without it.',
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

/** The class with the highest share of each attribute, the first of equals. Unanswered images do not count. */
export function typicalClasses(
  images: Iterable<{ classIndex: number; attributes: readonly string[] | null }>,
): Map<string, number> {
  const answered = new Map<number, number>();
  const marked = new Map<string, Map<number, number>>();
  for (const { classIndex, attributes } of images) {
    if (attributes === null) continue;
    answered.set(classIndex, (answered.get(classIndex) ?? 0) + 1);
    for (const attribute of new Set(attributes)) {
      const counts = marked.get(attribute) ?? new Map<number, number>();
      marked.set(attribute, counts);
      counts.set(classIndex, (counts.get(classIndex) ?? 0) + 1);
    }
  }
  const typical = new Map<string, number>();
  for (const [attribute, counts] of marked) {
    const shares = [...counts].map(([at, count]) => ({ at, share: count / (answered.get(at) as number) }));
    const [max] = shares.sort((a, b) => b.share - a.share || a.at - b.at);
    if (max) typical.set(attribute, max.at);
  }
  return typical;
}
