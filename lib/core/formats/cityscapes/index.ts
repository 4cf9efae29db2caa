import type { Format } from '../format';
import { toCheck } from '../shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses, MAX_INSTANCES } from '../shared/check-part-layout';
import { coreName, coreNameProblem } from '../shared/street';
import { detect, open, read, streetLabels } from './read';
import { write } from './write';

/** What the files know beside 0, which is no label. */
const streetClasses = streetLabels.slice(1).map(({ name }) => ({ id: name, name }));

export const format: Format = {
  id: 'cityscapes',
  name: 'Cityscapes',
  summary: 'Pictures with polygons, label ids, instance ids and colours per image, as in gtFine.',
  kind: 'own layout',
  options: [
    {
      name: 'instances',
      kind: 'choice',
      says: 'How instances are numbered.',
      values: [
        { value: 'per-class', says: 'From 0 in each class, as in Cityscapes.' },
        {
          value: 'per-image',
          says: 'From 1 in the image, the same numbers as in cityscapes-panoptic-parts.',
        },
      ],
      otherwise: 'per-class',
    },
  ],
  async check(dataset, options) {
    const drawn = excludeUndrawn(dataset);
    const problems = await checkPartLayout(
      drawn.dataset,
      {
        knows: { classes: streetClasses, parts: dataset.schema.parts },
        readers: 'code that reads Cityscapes',
        fileName: (image) => `${coreName(image)}.png`,
        name: coreNameProblem,
        needsMasks: true,
        image(image, found) {
          if (image.objects.length > MAX_INSTANCES)
            found.add(
              `An image has more than ${MAX_INSTANCES} objects, which the numbers cannot hold.`,
              image.name,
            );
          if (image.objects.some(({ instance }) => instance > MAX_INSTANCES))
            found.add(
              `An instance number is over ${MAX_INSTANCES}, where it would become another class.`,
              image.name,
            );
        },
      },
      options,
    );
    return toCheck(problems, [
      ...drawn.losses(),
      'Parts are left out: cityscapes-panoptic-parts holds them.',
      'An object in several pieces has one polygon per piece, which tools number as several objects; the maps of instances keep it one. Holes are painted as "unlabeled".',
      'A pixel is of one object: where objects overlap, the one in front keeps it.',
      layoutLosses.attributes,
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  },
  write,
  reader: { detect, read, open },
};
