import type { Dataset, DatasetImage } from '@/lib/core/formats/dataset';
import type { SourceImage } from '@/lib/core/formats/format';
import { encodeCounts, type Mask } from '@/lib/core/mask';

const counts = ({ height, width, ...mask }: Mask) =>
  `${height}×${width} ${encodeCounts({ height, width, ...mask })}`;

const masks = (labels: readonly { id: string; mask: Mask }[]) =>
  labels.map(({ id, mask }) => `${id} ${counts(mask)}`).sort();

type Labelled = Omit<DatasetImage, 'picture' | 'split' | 'width' | 'height'> & {
  split: string | null;
  width: number | null;
  height: number | null;
};

/** All that labels say, without where they come from, in an order that does not depend on the format's. */
export function labelsOf(image: Labelled) {
  return {
    className: image.className,
    wnid: image.wnid,
    groupKey: image.groupKey,
    columns: image.columns,
    split: image.split,
    size: [image.width, image.height],
    attributes: image.attributes ? [...image.attributes.present].sort() : null,
    attributeMasks: masks(image.attributeMasks),
    hasMasks: image.hasMasks,
    objects: image.objects.map(({ className, instance, outline, parts, absent }) => ({
      className,
      instance,
      outline: outline && counts(outline.mask),
      parts: masks(parts),
      absent: [...absent].sort(),
    })),
  };
}

/** Labels by the name of the image, without its ending. */
export const byName = (images: readonly Labelled[]) =>
  Object.fromEntries(images.map((image) => [image.name.replace(/\.[^.]+$/, ''), labelsOf(image)]));

export async function labelsOfDataset(dataset: Dataset) {
  const images: DatasetImage[] = [];
  for await (const image of dataset.images()) images.push(image);
  return byName(images);
}

export const labelsOfSource = (images: readonly SourceImage[]) => byName(images);
