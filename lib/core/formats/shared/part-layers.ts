import { area, type Mask, merge } from '@/lib/core/mask';
import { RunBuilder } from '@/lib/core/mask/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { DatasetImage, MaskLabel, ObjectLabel } from '../dataset';

/** A part with its object. */
interface PartLayer {
  object: ObjectLabel;
  part: MaskLabel;
}

/**
 * Lists all parts of an image from bottom to top: within an object by the schema's z-order, and the first object, the
 * main one of the image, above the others.
 */
export function partLayers(image: DatasetImage, zOrders: ReadonlyMap<string, number>): PartLayer[] {
  const z = ({ id }: MaskLabel) => zOrders.get(id) ?? 0;
  return [...image.objects]
    .reverse()
    .flatMap((object) => [...object.parts].sort((a, b) => z(a) - z(b)).map((part) => ({ object, part })));
}

/** Ranks parts by z-order; ties keep the order of the schema. */
export function zOrdersOf(schema: DatasetSchema): Map<string, number> {
  const sorted = [...schema.parts].sort((a, b) => a.zOrder - b.zOrder);
  return new Map(sorted.map(({ id }, index) => [id, index]));
}

/** Returns the union of outline and parts, or null if nothing was drawn. */
export function objectMask({ outline, parts }: ObjectLabel): Mask | null {
  const masks = [...(outline ? [outline.mask] : []), ...parts.map(({ mask }) => mask)];
  return masks.length > 0 ? merge(masks) : null;
}

/** A street scene has a few hundred labels. A photo mistaken for a label map has millions. */
const MAX_VALUES = 5000;

/** Splits a row-major label map into one mask per value, in ascending order, without the background. */
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

/** Sorts objects by size and renumbers them, for files that do not mark the main object. */
export function sortLargestFirst(objects: readonly ObjectLabel[]): ObjectLabel[] {
  const size = ({ outline }: ObjectLabel) => (outline ? area(outline.mask) : 0);
  return [...objects]
    .sort((a, b) => size(b) - size(a))
    .map((object, index) => ({ ...object, instance: index + 1 }));
}
