import { area, boundingBox, encodeCounts, isEmpty, type Mask, toRegions } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
import type { Dataset, DatasetImage } from '../dataset';
import { jsonArray } from '../general/json-stream';
import { type Numbered, numbered } from '../general/numbered';
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

type MasksOf = (image: DatasetImage) => readonly ReleaseMask[];

/** COCO files by split. Ids go through all splits, because the part-model code pools the three files. */
export function documents(
  dataset: Dataset,
  masksOf: MasksOf,
  categories: readonly unknown[],
): (split: string) => AsyncGenerator<string> {
  const drawnIn = (image: DatasetImage) =>
    image.hasMasks ? masksOf(image).filter(({ mask }) => !isEmpty(mask)) : [];
  const imagesOf = numbered(dataset, (image) => drawnIn(image).length);
  return async function* (split) {
    yield '{"images":';
    yield* jsonArray(images(imagesOf(split)));
    yield ',\n"annotations":';
    yield* jsonArray(annotations(imagesOf(split), drawnIn));
    yield ',\n"categories":';
    yield* jsonArray(categories);
    yield '}\n';
  };
}

async function* images(numberedImages: AsyncIterable<Numbered>) {
  for await (const { image, imageId: id } of numberedImages)
    yield { id, file_name: releaseName(image), height: image.height, width: image.width };
}

async function* annotations(numberedImages: AsyncIterable<Numbered>, masksOf: MasksOf) {
  for await (const { image, imageId, before } of numberedImages) {
    let id = before;
    for (const { category, mask } of masksOf(image)) {
      id += 1;
      yield {
        id,
        image_id: imageId,
        category_id: category,
        segmentation: segmentationOf(mask),
        bbox: boundingBox(mask),
        area: area(mask),
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
