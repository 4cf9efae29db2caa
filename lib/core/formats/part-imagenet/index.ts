import { partImageNet } from '@/lib/core/schema/presets';
import type { Dataset } from '../dataset';
import type { Format, FormatFile, Options, Pictures } from '../format';
import { jpegFile } from '../general/picture-file';
import { checked } from '../general/says';
import { checkOwn, type Rules } from '../tessera/check';
import { lost } from '../tessera/losses';
import { documents, partCategories, partMasks } from './document';
import { releaseName, releaseNameProblem } from './names';
import { detect, read } from './read';

export const releaseRules: Rules = {
  knows: partImageNet,
  readers: 'code that reads PartImageNet',
  fileName: releaseName,
  name: releaseNameProblem,
  splits: ['train', 'val', 'test'],
  usesWnid: true,
  image(image, problems) {
    if (image.wnid === null)
      problems.add(
        'An image has no WordNet id, by which the release keeps images. Add one, or leave it out.',
        image.name,
      );
  },
};

async function* write(dataset: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const documentOf = documents(dataset, partMasks, partCategories);
  for (const split of releaseRules.splits ?? [])
    yield { path: `${split}.json`, chunks: () => documentOf(split) };
  for await (const image of dataset.images())
    yield jpegFile(`${image.split}/${image.wnid}/${releaseName(image)}`, image, pictures);
}

export const format: Format = {
  id: 'part-imagenet',
  name: 'PartImageNet',
  summary:
    'The original release: a COCO file per split with polygons of 40 parts, and pictures by WordNet id.',
  kind: 'own layout',
  options: [],
  async check(dataset, options) {
    return checked(await checkOwn(dataset, releaseRules, options), [
      'The class of an image is that of its parts: an image without parts has none.',
      'Masks with holes are written as runs, which the release itself never has.',
      lost.instances,
      lost.outlines,
      lost.attributes,
      lost.absent,
      lost.provenance,
      lost.columns,
    ]);
  },
  write,
  reader: { detect, read },
};
