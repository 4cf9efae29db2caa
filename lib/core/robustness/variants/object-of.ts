import { type Region, regionArea } from '../region';
import type { Reason, Sample } from '../types';

/** Objects below this share of the picture are left out. */
export const TINY = 0.005;
/** An attribute that covers more of the object than this is one of the whole object. */
export const WHOLE = 0.9;

/** The object, where there is one with a background beside it. */
export function objectOf({ object }: Sample): { object: Region } | { invalid: Reason } {
  if (!object) return { invalid: 'mask-missing' };
  const area = regionArea(object);
  if (area === 0) return { invalid: 'mask-empty' };
  if (area === object.length) return { invalid: 'mask-full' };
  if (area < TINY * object.length) return { invalid: 'mask-tiny' };
  return { object };
}

/** Where an attribute is, if the image has it, someone drew it, and it is not the whole object. */
export function attributeOf(
  sample: Sample,
  attribute: string,
): { region: Region; object: Region } | { invalid: Reason } {
  const region = sample.attributeRegions[attribute];
  if (!sample.attributes?.includes(attribute) || !region) return { invalid: 'attribute-missing' };
  if (!sample.object) return { invalid: 'mask-missing' };
  const [area, whole] = [regionArea(region), regionArea(sample.object)];
  if (area === 0 || whole === 0) return { invalid: 'mask-empty' };
  if (area > WHOLE * whole) return { invalid: 'whole-object' };
  return { region, object: sample.object };
}
