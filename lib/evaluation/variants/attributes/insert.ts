import type { Picture } from '../../picture';
import { type Region, regionArea, regionBox } from '../../region';
import type { Sample, Variant } from '../../types';
import { cellsOf } from '../cells-of';
import { composed } from '../compose';
import { scaledTo } from '../edits/affine';
import { cutOut, pasted } from '../edits/cut-out';
import { movedCutOut } from '../edits/move-cut-out';
import { attributeOf, WHOLE } from '../object-of';
import { usableDonor } from '../usable-donor';

/** Of a part that must touch the object, at least this share lies on it. */
const TOUCHING = 0.7;

export interface InsertOptions {
  /** At its own coordinates, or where the box of the one object goes when it is fitted to that of the other. */
  placement?: 'original' | 'fitted';
  /** Only where most of it lies on the object of the other image. */
  mustTouchObject?: boolean;
  /** Softness of the edge in pixels. */
  feather?: number;
}

/**
 * One attribute of the sample laid on an image without it. The picture is the other image's: the row's true class is that
 * of the sample, so that `pTrue` is what the part alone tells of where it comes from; the other's class is in `extra`.
 */
export const insertAttributes = (
  attributes: readonly string[],
  { placement = 'original', mustTouchObject = false, feather = 0 }: InsertOptions = {},
): Variant => ({
  id: 'attribute.insert',
  version: 1,
  says: 'One attribute is laid on an image that does not have it.',
  paradigm: 'transformation',
  needs: ['attributes', 'attribute masks', 'object mask', 'donors'],
  parameters: { placement, mustTouchObject, feather, whole: WHOLE },
  cells: cellsOf(attributes),
  runs: 1,
  async apply(sample, { level }, chance, around) {
    const attribute = String(level);
    const found = attributeOf(sample, attribute);
    if ('invalid' in found) return found;
    const laid = await usableDonor(sample, chance, around, { without: attribute }, (donor) => {
      const picture = laidOn(donor, sample, found, { placement, mustTouchObject, feather });
      return picture && { picture, extra: { donor: donor.id, donorClass: donor.classIndex } };
    });
    return laid ?? { invalid: 'no-donor' };
  },
});

function laidOn(
  donor: Sample,
  sample: Sample,
  { region, object }: { region: Region; object: Region },
  { placement, mustTouchObject, feather }: Required<InsertOptions>,
): Picture | null {
  const { width } = sample.picture;
  if (placement === 'original') {
    if (mustTouchObject && !touches(region, donor.object)) return null;
    return feather > 0
      ? pasted(cutOut(sample.picture, region), donor.picture, feather)
      : composed(sample.picture, donor.picture, region);
  }
  const [from, to] = [regionBox(object, width), donor.object && regionBox(donor.object, width)];
  if (!from || !to) return null;
  const centre = (box: typeof from) => [box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2] as const;
  const scale = Math.min(to.width / from.width, to.height / from.height);
  const cut = movedCutOut(cutOut(sample.picture, region), scaledTo(scale, centre(from), centre(to)));
  if (regionArea(cut.region) === 0) return null;
  if (mustTouchObject && !touches(cut.region, donor.object)) return null;
  return pasted(cut, donor.picture, feather);
}

function touches(region: Region, object: Region | null): boolean {
  if (!object) return false;
  let on = 0;
  region.forEach((pixel, i) => {
    if (pixel && object[i]) on += 1;
  });
  return on >= TOUCHING * regionArea(region);
}
