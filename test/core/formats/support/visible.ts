import type { Dataset, DatasetImage, ObjectLabel } from '@/lib/core/formats/dataset';
import type { SourceImage } from '@/lib/core/formats/format';
import { difference, emptyMask, encodeCounts, isEmpty, type Mask, union } from '@/lib/core/mask';

export async function imagesOf(dataset: Dataset): Promise<DatasetImage[]> {
  const images: DatasetImage[] = [];
  for await (const image of dataset.images()) images.push(image);
  return images;
}

/** Parts as a map with one label a pixel keeps them: from the top down, each without what lies above. */
export function visibleParts(dataset: Dataset, image: DatasetImage): Record<string, string> {
  const place = new Map(
    [...dataset.schema.parts].sort((a, b) => a.zOrder - b.zOrder).map(({ id }, index) => [id, index]),
  );
  let above = emptyMask(image.height, image.width);
  const seen: Record<string, string> = {};
  for (const object of image.objects)
    for (const { id, mask } of [...object.parts].sort(
      (a, b) => (place.get(b.id) ?? 0) - (place.get(a.id) ?? 0),
    )) {
      const rest = difference(mask, above);
      above = union(above, mask);
      if (!isEmpty(rest)) seen[`${object.className} ${object.instance} ${id}`] = encodeCounts(rest);
    }
  return seen;
}

/** The same of what was read. */
export const partsRead = (image: SourceImage): Record<string, string> =>
  Object.fromEntries(
    image.objects.flatMap(({ className, instance, parts }) =>
      parts.map(({ id, mask }) => [`${className} ${instance} ${id}`, encodeCounts(mask)]),
    ),
  );

/** By stem, which formats keep. */
export const byStem = <T extends { name: string }>(images: readonly T[]): Map<string, T> =>
  new Map(images.map((image) => [image.name.replace(/\.[^.]+$/, ''), image]));

export const outlineOf = ({ outline }: ObjectLabel): Mask => {
  if (!outline) throw new Error('no outline');
  return outline.mask;
};
