import { partImageNet } from '@/lib/core/schema/presets';
import type { Format } from '../format';
import { checked } from '../general/says';
import { stemOf } from '../names';
import { checkOwn } from '../tessera/check';
import { classOnlyLoss, isLabelled } from '../tessera/is-labelled';
import { lost } from '../tessera/losses';
import { SPLITS } from './paths';
import { detect, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'apm-part-imagenet',
  name: 'Part-ImageNet for the part-model code',
  summary:
    'Pictures, a list per class and split, and masks with one part id a pixel, as the code of the part-based models reads them. With labels=boxes the masks go to BoxSegmentations.',
  kind: 'part-model code',
  options: [],
  async check(dataset, options) {
    let classOnly = 0;
    const problems = await checkOwn(
      dataset,
      {
        knows: partImageNet,
        readers: 'the part-model code',
        fileName: ({ name }) => `${stemOf(name)}.JPEG`,
        name: (name) => (/^\s/.test(name) ? 'begins with a space' : null),
        splits: SPLITS,
        needsEverySplit: true,
        needsClass: true,
        usesWnid: true,
        image: (image) => {
          if (image.hasMasks && !isLabelled(image)) classOnly += 1;
        },
      },
      options,
    );
    return checked(problems, [
      ...classOnlyLoss(classOnly),
      lost.overlap,
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
