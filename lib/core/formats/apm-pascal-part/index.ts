import { pascalPart, pascalPartGrouped } from '@/lib/core/schema/presets';
import type { Dataset } from '../dataset';
import { groupParts } from '../derive';
import type { Check, Format, Options } from '../format';
import { stemOf } from '../names';
import { checkOwn } from '../tessera/check';
import { classOnlyLoss, isLabelled } from '../tessera/is-labelled';
import { lost } from '../tessera/losses';
import { SPLITS } from './paths';
import { detect, read } from './read';
import { write } from './write';

/** Fine parts of the release and the merged ones are both understood. */
const knows = {
  classes: pascalPart.classes,
  parts: [
    ...pascalPart.parts,
    ...pascalPartGrouped.parts.filter(({ id }) => !pascalPart.parts.some((part) => part.id === id)),
  ],
};

async function check(dataset: Dataset, options: Options): Promise<Check> {
  let left = 0;
  let classOnly = 0;
  const used = new Set<string>();
  const problems = await checkOwn(
    dataset,
    {
      knows,
      readers: 'the part-model code',
      fileName: ({ name }) => `${stemOf(name)}.jpg`,
      // Pictures and masks are paired by their place in two sorted lists; a dot sorts differently before jpg and tif.
      name: (name) => (stemOf(name).includes('.') ? 'has a dot, by which its mask would be mistaken' : null),
      splits: SPLITS,
      needsEverySplit: true,
      image: (image) => {
        if (groupParts(image)) {
          used.add(image.split);
          if (image.hasMasks && !isLabelled(image)) classOnly += 1;
        } else left += 1;
      },
    },
    options,
  );
  if (problems.list().length === 0)
    for (const split of SPLITS)
      if (!used.has(split))
        problems.add(
          'A split has no image of aeroplane, bird, car, cat or dog, which the code knows.',
          split,
        );
  return {
    refusals: problems.list(),
    losses: [
      ...(left > 0
        ? [
            `${left} images are left out: their largest object is no aeroplane, bird, car, cat or dog, or nothing tells their class.`,
          ]
        : []),
      ...classOnlyLoss(classOnly),
      'Fine parts are merged to three per class.',
      'A pixel has one part: where parts overlap the first keeps it, the largest object before the others.',
      lost.outlines,
      lost.instances,
      lost.attributes,
      lost.absent,
      lost.provenance,
      lost.columns,
    ],
  };
}

export const format: Format = {
  id: 'apm-pascal-part',
  name: 'PASCAL-Part for the part-model code',
  summary:
    'Pictures and masks of aeroplane, bird, car, cat and dog with three merged parts each, as the code of the part-based models reads them.',
  kind: 'part-model code',
  options: [],
  check,
  write,
  reader: { detect, read },
};
