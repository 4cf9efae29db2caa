import { type Region, regionArea } from '../picture';
import { warpPicture } from '../pixels/resample';
import type { Rng } from '../random';
import type { Cell, Reason, Sample, VariantContext } from '../types';

/** All combinations of levels and trials. */
export const createCells = (levels: readonly (number | string)[], trials = 1): Cell[] =>
  levels.flatMap((level) => Array.from({ length: trials }, (_, trial) => ({ level, trial })));

/** Cell of variants with a single setting. */
export const SINGLE_CELL: readonly Cell[] = [{ level: 0, trial: 0 }];

/** Objects below this share of the picture are skipped. */
export const MIN_OBJECT_SHARE = 0.005;
/** Attributes that cover more of the object are whole-object attributes. */
export const WHOLE_OBJECT_SHARE = 0.9;

/** The object mask if it leaves a background; otherwise the reason to skip. */
export function findObject({ object }: Sample): { object: Region } | { invalid: Reason } {
  if (!object) return { invalid: 'mask-missing' };
  const area = regionArea(object);
  if (area === 0) return { invalid: 'mask-empty' };
  if (area === object.length) return { invalid: 'mask-full' };
  if (area < MIN_OBJECT_SHARE * object.length) return { invalid: 'mask-tiny' };
  return { object };
}

/** Mask of an attribute that does not cover the whole object; otherwise the reason to skip. */
export function findAttribute(
  sample: Sample,
  attribute: string,
): { region: Region; object: Region } | { invalid: Reason } {
  const region = sample.attributeRegions[attribute];
  if (!sample.attributes?.includes(attribute) || !region) return { invalid: 'attribute-missing' };
  if (!sample.object) return { invalid: 'mask-missing' };
  const [area, whole] = [regionArea(region), regionArea(sample.object)];
  if (area === 0 || whole === 0) return { invalid: 'mask-empty' };
  if (area > WHOLE_OBJECT_SHARE * whole) return { invalid: 'whole-object' };
  return { region, object: sample.object };
}

/** Maximum number of donor draws. */
const DRAWS = 16;
/** Pictures with a larger object cannot donate their background. */
export const MAX_OBJECT_SHARE = 0.6;

/** Draws donors until `use` returns a result; null if none is suitable. */
export async function findDonor<T>(
  sample: Sample,
  rng: Rng,
  context: Pick<VariantContext, 'donor'>,
  which: Parameters<VariantContext['donor']>[2],
  use: (donor: Sample) => T | null,
): Promise<T | null> {
  const { width, height } = sample.picture;
  for (let draw = 0; draw < DRAWS; draw++) {
    const donor = await context.donor(sample, rng, which);
    if (!donor) return null;
    // Donors come from the same split, so that training images do not leak into test images.
    if (donor.id === sample.id || donor.split !== sample.split) continue;
    const used = use(resizeSample(donor, width, height));
    if (used !== null) return used;
  }
  return null;
}

/** Object mask of a background donor; null if it is missing or too large. */
export function donorBackground(donor: Sample): Region | null {
  const found = findObject(donor);
  if ('invalid' in found) return null;
  return regionArea(found.object) > MAX_OBJECT_SHARE * found.object.length ? null : found.object;
}

/** Resizes a sample with a centre crop to the new aspect ratio. Masks use the nearest neighbour. */
function resizeSample(sample: Sample, width: number, height: number): Sample {
  const { picture } = sample;
  if (picture.width === width && picture.height === height) return sample;
  const scale = Math.min(picture.width / width, picture.height / height);
  const atX = (x: number) => (x + 0.5 - width / 2) * scale + picture.width / 2 - 0.5;
  const atY = (y: number) => (y + 0.5 - height / 2) * scale + picture.height / 2 - 0.5;
  const region = (given: Region): Region =>
    Uint8Array.from({ length: width * height }, (_, i) => {
      const x = i % width;
      const [fromX, fromY] = [Math.round(atX(x)), Math.round(atY((i - x) / width))];
      const within = (at: number, n: number) => Math.min(Math.max(at, 0), n - 1);
      return given[within(fromY, picture.height) * picture.width + within(fromX, picture.width)] as number;
    });
  const regions = (given: Readonly<Record<string, Region>>) =>
    Object.fromEntries(Object.entries(given).map(([id, each]) => [id, region(each)]));
  return {
    ...sample,
    picture: warpPicture(
      picture,
      (place) => {
        place.x = atX(place.x);
        place.y = atY(place.y);
      },
      { width, height },
    ),
    object: sample.object && region(sample.object),
    parts: regions(sample.parts),
    attributeRegions: regions(sample.attributeRegions),
  };
}
