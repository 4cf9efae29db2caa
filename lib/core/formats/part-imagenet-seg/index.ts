import type { Format } from '../format';
import { checked } from '../general/says';
import { releaseRules } from '../part-imagenet';
import { checkOwn } from '../tessera/check';
import { classOnlyLoss, isLabelled } from '../tessera/is-labelled';
import { lost } from '../tessera/losses';
import { detect, read } from './read';
import { wholeIndex, write } from './write';

export const format: Format = {
  id: 'part-imagenet-seg',
  name: 'PartImageNet_Seg',
  summary: 'The later release: a map of parts and a map of whole objects per image, with COCO files.',
  kind: 'own layout',
  options: [],
  async check(dataset, options) {
    let classOnly = 0;
    const problems = await checkOwn(
      dataset,
      {
        ...releaseRules,
        needsMasks: true,
        image(image, found) {
          releaseRules.image?.(image, found);
          if (image.hasMasks && !isLabelled(image)) classOnly += 1;
          if (image.wnid !== null && wholeIndex(image.wnid) === undefined)
            found.add(
              'A WordNet id is none of the 158 that the release numbers.',
              `${image.name}: ${image.wnid}`,
            );
        },
      },
      options,
    );
    return checked(problems, [
      ...classOnlyLoss(classOnly),
      'Objects of another class than the image are missing in the map of whole objects, which numbers WordNet ids.',
      lost.overlap,
      lost.instances,
      lost.attributes,
      lost.absent,
      lost.provenance,
      lost.columns,
    ]);
  },
  write,
  reader: { detect, read },
};
