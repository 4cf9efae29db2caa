import { fullMask } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
import { labelPng } from '../codecs/label-png';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { jpegFile } from '../general/picture-file';
import { stemOf } from '../names';
import type { PaintLayer } from '../paint';
import { documents, partCategories, partMasks, type ReleaseMask } from '../part-imagenet/document';
import { releaseName } from '../part-imagenet/names';
import { isDrawnOn, isLabelled } from '../tessera/is-labelled';
import { objectMask, partLayers, zOrdersOf } from '../tessera/layers';

/** Parts are 0 to 39 here, so that the background cannot be 0. */
export const BACKGROUND = 40;
/** Not to be learnt from, in either map. */
export const IGNORE = 255;

const wnids = partImageNet.classes.flatMap(({ wnids: list }) => list ?? []).sort();
export const WHOLE_BACKGROUND = wnids.length;

/** The place of a WordNet id among the 158. */
export const wholeIndex = (wnid: string): number | undefined => {
  const index = wnids.indexOf(wnid);
  return index < 0 ? undefined : index;
};

const wholeCategories = wnids.map((name, id) => ({ id, name, supercategory: '' }));
const categoryOf = new Map(partImageNet.parts.map(({ id, codes }) => [id, codes?.coco as number]));

export async function* write(
  dataset: Dataset,
  _options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const zOrders = zOrdersOf(dataset.schema);
  const partsOf = documents(dataset, partMasks, partCategories);
  const wholeOf = documents(dataset, wholeMasks, wholeCategories);
  for (const split of ['train', 'val', 'test']) {
    yield { path: `annotations/${split}/${split}.json`, chunks: () => partsOf(split) };
    yield { path: `annotations/${split}_whole/${split}.json`, chunks: () => wholeOf(split) };
  }
  for await (const image of dataset.images()) {
    const stem = stemOf(releaseName(image));
    const folder = `annotations/${image.split}`;
    yield jpegFile(`images/${image.split}/${stem}.JPEG`, image, pictures);
    yield { path: `${folder}/${stem}.json`, bytes: () => sizeFile(image) };
    yield {
      path: `${folder}/${stem}.png`,
      bytes: () =>
        map(
          image,
          partLayers(image, zOrders).map(({ part: { id, mask } }) => ({
            mask,
            value: categoryOf.get(id) as number,
          })),
          isLabelled(image) ? BACKGROUND : IGNORE,
        ),
    };
    yield {
      path: `${folder}_whole/${stem}.png`,
      bytes: () =>
        map(
          image,
          wholeMasks(image).map(({ mask, category }) => ({ mask, value: category })),
          isDrawnOn(image) ? WHOLE_BACKGROUND : IGNORE,
        ),
    };
  }
}

function wholeMasks(image: DatasetImage): ReleaseMask[] {
  const category = wholeIndex(image.wnid ?? '');
  if (category === undefined) return [];
  return image.objects.flatMap((object) => {
    const mask = object.className === image.className ? objectMask(object) : null;
    return mask ? [{ category, mask }] : [];
  });
}

function map(image: DatasetImage, layers: readonly PaintLayer[], background: number): Uint8Array {
  const { width, height } = image;
  const ground = { mask: fullMask(height, width), value: background };
  return labelPng([ground, ...layers], width, height, 'grey-8');
}

const sizeFile = ({ width, height, wnid, className }: DatasetImage): Uint8Array =>
  new TextEncoder().encode(
    `${JSON.stringify({ imgHeight: height, imgWidth: width, wnid, class: className })}\n`,
  );
