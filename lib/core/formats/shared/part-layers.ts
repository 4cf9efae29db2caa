import { area, type Mask, merge } from '@/lib/core/mask';
import { RunBuilder } from '@/lib/core/mask/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { DatasetImage, MaskLabel, ObjectLabel } from '../dataset';

/** A part with the object it is of. */
interface PartLayer {
  object: ObjectLabel;
  part: MaskLabel;
}

/**
 * All parts of an image from the lowest up. Where they overlap the schema's z-order decides within an object, and the
 * object that comes first, which the picture is of, lies on top of the others.
 */
export function partLayers(image: DatasetImage, zOrders: ReadonlyMap<string, number>): PartLayer[] {
  const z = ({ id }: MaskLabel) => zOrders.get(id) ?? 0;
  return [...image.objects]
    .reverse()
    .flatMap((object) => [...object.parts].sort((a, b) => z(a) - z(b)).map((part) => ({ object, part })));
}

/** Places in z-order, ties by place in the schema. */
export function zOrdersOf(schema: DatasetSchema): Map<string, number> {
  const sorted = [...schema.parts].sort((a, b) => a.zOrder - b.zOrder);
  return new Map(sorted.map(({ id }, index) => [id, index]));
}

/** The whole object: its outline with all its parts; null where nothing was drawn. */
export function objectMask({ outline, parts }: ObjectLabel): Mask | null {
  const masks = [...(outline ? [outline.mask] : []), ...parts.map(({ mask }) => mask)];
  return masks.length > 0 ? merge(masks) : null;
}

/** A street scene has some hundred; a photo taken for a label map has millions, each of which would become a mask. */
const MAX_VALUES = 5000;

/** One mask per value of a row-major map, in ascending order of value; `background` is left out. */
export function splitLabelMap(
  values: ArrayLike<number>,
  width: number,
  height: number,
  background = 0,
): Map<number, Mask> {
  const builders = new Map<number, RunBuilder>();
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; ) {
      const value = values[y * width + x] as number;
      const top = y++;
      while (y < height && values[y * width + x] === value) y++;
      if (value === background) continue;
      let builder = builders.get(value);
      if (!builder) {
        if (builders.size >= MAX_VALUES)
          throw new Error(`a map has more than ${MAX_VALUES} labels: is it a picture and no map?`);
        builder = new RunBuilder();
        builders.set(value, builder);
      }
      builder.add(x * height + top, x * height + y);
    }
  return new Map(
    [...builders].sort(([a], [b]) => a - b).map(([value, builder]) => [value, builder.build(height, width)]),
  );
}

/** Files that number objects by class do not say which one the picture is of: the largest is taken for it. */
export function sortLargestFirst(objects: readonly ObjectLabel[]): ObjectLabel[] {
  const size = ({ outline }: ObjectLabel) => (outline ? area(outline.mask) : 0);
  return [...objects]
    .sort((a, b) => size(b) - size(a))
    .map((object, index) => ({ ...object, instance: index + 1 }));
}
