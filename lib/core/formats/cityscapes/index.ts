import type { Format } from '../format';
import { toCheck } from '../shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses, MAX_INSTANCES } from '../shared/check-part-layout';
import { coreName, coreNameProblem } from '../shared/street';
import { detect, open, read, streetLabels } from './read';
import { drawScene, write } from './write';

/** What the files know beside 0, which is no label. */
const streetClasses = streetLabels.slice(1).map(({ name }) => ({ id: name, name }));

export const format: Format = {
  id: 'cityscapes',
  name: 'Cityscapes',
  summary: 'Pictures with polygons, label ids, instance ids and colours per image, as in gtFine.',
  kind: 'own layout',
  holds: ['stuff', 'crowd'],
  holdsClasses: false,
  options: [
    {
      name: 'instances',
      kind: 'choice',
      description: 'How instances are numbered.',
      values: [
        { value: 'per-class', description: 'From 0 in each class, as in Cityscapes.' },
        {
          value: 'per-image',
          description: 'From 1 in the image, the same numbers as in cityscapes-panoptic-parts.',
        },
      ],
      defaultValue: 'per-class',
    },
    {
      name: 'polygons',
      kind: 'choice',
      description: 'How an object in several pieces is drawn.',
      values: [
        {
          value: 'whole',
          description:
            'As one polygon: pieces are joined by seams that later polygons paint over, so readers count one object.',
        },
        {
          value: 'pieces',
          description: 'As one polygon for each piece, which readers count as several objects.',
        },
      ],
      defaultValue: 'whole',
    },
  ],
  async check(dataset, options) {
    const drawn = excludeUndrawn(dataset);
    let splitCount = 0;
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
          if (options.polygons !== 'pieces' && found.list().length === 0)
            splitCount += drawScene(image, options).drawing.splitCount;
        },
      },
      options,
    );
    return toCheck(problems, [
      ...drawn.losses(),
      'Parts are left out: cityscapes-panoptic-parts holds them.',
      ...(options.polygons === 'pieces'
        ? [
            'An object in several pieces has one polygon per piece, which readers of polygons count as several objects; the maps of instances keep it one.',
          ]
        : []),
      ...(options.polygons !== 'pieces' && options.instances === 'per-image'
        ? ['Readers of polygons number instances from 0 in each class, unlike the maps of instances.']
        : []),
      ...(splitCount > 0
        ? [
            `${splitCount} objects enclose each other’s pieces and have one polygon per piece, which readers of polygons count as several objects.`,
          ]
        : []),
      'A pixel is of one object: where objects overlap, the one in front keeps it.',
      layoutLosses.attributes,
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  },
  write,
  reader: { detect, read, open },
};
