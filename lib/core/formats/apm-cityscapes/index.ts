import { cityscapesParts } from '@/lib/core/schema/presets';
import type { Format } from '../format';
import { type Problems, toCheck } from '../shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses } from '../shared/check-part-layout';
import { idsOption, otherIdsLoss } from '../shared/id-table';
import { schemaCodes } from '../shared/panoptic-parts';
import { zOrdersOf } from '../shared/part-layers';
import { findNameProblem, stemOf } from '../shared/write-files';
import { cropsOf, paperCrops } from './crops';
import { layoutOf, type StreetLayout } from './layout';
import { detect, read } from './read';
import { SPLITS, write } from './write';

export const format: Format = {
  id: 'apm-cityscapes',
  name: 'Cityscapes for the part-model code',
  summary:
    'Road users cut out of street scenes, with maps of panoptic-parts numbers, as the code of the part-based models reads them. The options are set as in the paper (square_rand_pad0.2).',
  kind: 'part-model code',
  options: [
    idsOption,
    {
      name: 'crops',
      kind: 'flag',
      description: 'Cut out every road user. Otherwise each picture is one sample, of the kind of its class.',
      defaultValue: true,
    },
    {
      name: 'pad',
      kind: 'number',
      description: 'Padding of a cut, as a share of the longer side of the object.',
      min: 0,
      max: 2,
      defaultValue: paperCrops.pad,
    },
    { name: 'square', kind: 'flag', description: 'Cuts are squares.', defaultValue: paperCrops.square },
    {
      name: 'random-pad',
      kind: 'flag',
      description:
        'Divide the padding by chance between the sides; the same picture is always cut the same way.',
      defaultValue: paperCrops.randomPad,
    },
    {
      name: 'min-area',
      kind: 'number',
      description: 'Objects of fewer pixels are not cut out.',
      min: 1,
      max: 10_000_000,
      isWhole: true,
      defaultValue: paperCrops.minArea,
    },
    {
      name: 'allow-missing-parts',
      kind: 'flag',
      description: 'Cut out objects of which not every part can be seen, too.',
      defaultValue: paperCrops.allowMissingParts,
    },
  ],
  async check(dataset, options) {
    const cut = new Set<string>();
    const drawn = excludeUndrawn(dataset);
    const zOrders = zOrdersOf(dataset.schema);
    const layout = layoutOf(dataset.schema);
    const problems = await checkPartLayout(
      drawn.dataset,
      {
        knows: options.ids === 'original' || layout.isOriginal ? cityscapesParts : dataset.schema,
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
          if (cropsOf(image, options, zOrders, layout).length > 0) cut.add(image.split);
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
    if (!layout.isOriginal) checkLayout(layout, problems);
    return toCheck(problems, [
      ...drawn.losses(),
      ...otherIdsLoss(layout.isOriginal),
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

function checkLayout({ schema, groups }: StreetLayout, problems: Problems): void {
  const { problem } = schemaCodes(schema);
  if (problem) problems.add(problem, schema.name);
  for (const group of groups) {
    const wrong = findNameProblem(group);
    if (wrong)
      problems.add(`The id of a class or superclass, which becomes a folder, ${wrong}. Rename it.`, group);
  }
}
