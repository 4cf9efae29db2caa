import { area, boundingBox, encodeCounts, type Mask, toRegions } from '@/lib/mask';
import { partImageNet } from '@/lib/schema/presets';
import type { Dataset, DatasetImage } from '../dataset';
import { jsonArray } from '../general/json-stream';
import { releaseName } from './names';

export interface ReleaseMask {
  category: number;
  mask: Mask;
}

const categoryOf = new Map(partImageNet.parts.map(({ id, codes }) => [id, codes?.coco as number]));

/** Parts of all objects, numbered 0 to 39 as in the release. */
export const partMasks = (image: DatasetImage): ReleaseMask[] =>
  image.objects.flatMap(({ parts }) =>
    parts.map(({ id, mask }) => ({ category: categoryOf.get(id) as number, mask })),
  );

export const partCategories = partImageNet.parts.map(({ id, classes, codes }) => ({
  id: codes?.coco,
  name: id,
  supercategory: classes[0],
}));

/** A COCO file of one split. Ids go through all splits, because the part-model code pools the three files. */
export async function* document(
  dataset: Dataset,
  split: string,
  masksOf: (image: DatasetImage) => readonly ReleaseMask[],
  categories: readonly unknown[],
) {
  yield '{"images":';
  yield* jsonArray(images(dataset, split));
  yield ',\n"annotations":';
  yield* jsonArray(annotations(dataset, split, masksOf));
  yield ',\n"categories":';
  yield* jsonArray(categories);
  yield '}\n';
}

async function* images(dataset: Dataset, split: string) {
  let id = 0;
  for await (const image of dataset.images()) {
    id += 1;
    if (image.split !== split) continue;
    yield { id, file_name: releaseName(image), height: image.height, width: image.width };
  }
}

async function* annotations(
  dataset: Dataset,
  split: string,
  masksOf: (image: DatasetImage) => readonly ReleaseMask[],
) {
  let imageId = 0;
  let id = 0;
  for await (const image of dataset.images()) {
    imageId += 1;
    if (!image.hasMasks) continue;
    for (const { category, mask } of masksOf(image)) {
      const size = area(mask);
      if (size === 0) continue;
      id += 1;
      if (image.split !== split) continue;
      yield {
        id,
        image_id: imageId,
        category_id: category,
        segmentation: segmentationOf(mask),
        bbox: boundingBox(mask),
        area: size,
        iscrowd: 0,
      };
    }
  }
}

/** Rings along pixel corners give the same pixels by COCO's rule; holes are beyond polygons and are written as runs. */
function segmentationOf(mask: Mask) {
  const regions = toRegions(mask);
  if (regions.every(({ holes }) => holes.length === 0)) return regions.map(({ outer }) => outer);
  return { size: [mask.height, mask.width], counts: encodeCounts(mask) };
}
