import { cityscapesParts } from '@/lib/core/schema/presets';
import type { Format } from '../format';
import { toCheck } from '../shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses } from '../shared/check-part-layout';
import { zOrdersOf } from '../shared/part-layers';
import { stemOf } from '../shared/write-files';
import { cropsOf, paperCrops } from './crops';
import { detect, read } from './read';
import { SPLITS, write } from './write';

export const format: Format = {
  id: 'apm-cityscapes',
  name: 'Cityscapes for the part-model code',
  summary:
    'Road users cut out of street scenes, with maps of panoptic-parts numbers, as the code of the part-based models reads them. The options are set as in the paper (square_rand_pad0.2).',
  kind: 'part-model code',
  options: [
    {
      name: 'crops',
      kind: 'flag',
      says: 'Cut out every road user. Otherwise each picture is one sample, of the kind of its class.',
      otherwise: true,
    },
    {
      name: 'pad',
      kind: 'number',
      says: 'Padding of a cut, as a share of the longer side of the object.',
      min: 0,
      max: 2,
      otherwise: paperCrops.pad,
    },
    { name: 'square', kind: 'flag', says: 'Cuts are squares.', otherwise: paperCrops.square },
    {
      name: 'random-pad',
      kind: 'flag',
      says: 'Divide the padding by chance between the sides; the same picture is always cut the same way.',
      otherwise: paperCrops.randomPad,
    },
    {
      name: 'min-area',
      kind: 'number',
      says: 'Objects of fewer pixels are not cut out.',
      min: 1,
      max: 10_000_000,
      isWhole: true,
      otherwise: paperCrops.minArea,
    },
    {
      name: 'allow-missing-parts',
      kind: 'flag',
      says: 'Cut out objects of which not every part can be seen, too.',
      otherwise: paperCrops.allowMissingParts,
    },
  ],
  async check(dataset, options) {
    const cut = new Set<string>();
    const drawn = excludeUndrawn(dataset);
    const zOrders = zOrdersOf(dataset.schema);
    const problems = await checkPartLayout(
      drawn.dataset,
      {
        knows: cityscapesParts,
        readers: 'the part-model code',
        fileName: ({ name }) => `${stemOf(name)}.png`,
        // Pictures and maps are paired by their place in two sorted lists; a dot sorts differently before png and tif.
        name: (name) => (stemOf(name).includes('.') ? 'has a dot, by which its map would be mistaken' : null),
        splits: SPLITS,
        needsEverySplit: true,
        needsClass: !options.crops,
        needsMasks: true,
        hasInstances: true,
        image: (image, found) => {
          // One cut is enough; numbers that have no place in a map are refused already.
          if (!options.crops || cut.has(image.split) || found.list().length > 0) return;
          if (cropsOf(image, options, zOrders).length > 0) cut.add(image.split);
        },
      },
      options,
    );
    if (options.crops && problems.list().length === 0)
      for (const split of SPLITS)
        if (!cut.has(split))
          problems.add(
            `Nothing would be cut out of a split: it has no object of ${options['min-area']} pixels or more that is not hidden${options['allow-missing-parts'] ? '' : ' and shows all its parts'}. Lower min-area${options['allow-missing-parts'] ? '' : ', or set allow-missing-parts'}.`,
            split,
          );
    return toCheck(problems, [
      ...drawn.losses(),
      ...(options.crops
        ? ['What is in no cut is left out: small and hidden objects, and street around them.']
        : []),
      layoutLosses.overlap,
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  },
  write,
  reader: { detect, read },
};
