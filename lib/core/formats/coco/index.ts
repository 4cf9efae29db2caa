import type { Format } from '../format';
import { checkDataset, losses, toCheck } from '../shared/check';
import { detect, open, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'coco',
  name: 'COCO instances',
  summary: 'One JSON per split with masks of objects, parts and attributes, and the pictures.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  holdsClasses: false,
  options: [
    {
      name: 'segmentation',
      kind: 'choice',
      description: 'How masks are written. Crowd regions are always runs.',
      values: [
        {
          value: 'polygons',
          description:
            'As polygons that give exactly the same mask; a hole is joined to its border by a seam.',
        },
        { value: 'rle', description: 'As compressed runs, which are smaller and not read by every loader.' },
      ],
      defaultValue: 'polygons',
    },
    {
      name: 'outlines',
      kind: 'choice',
      description: 'Annotations of objects without an outline.',
      values: [
        { value: 'union', description: 'The union of their parts, marked as from_parts.' },
        { value: 'drawn', description: 'None.' },
      ],
      defaultValue: 'union',
    },
    {
      name: 'provenance',
      kind: 'flag',
      description: 'Write the source and the confidence of each label to its attributes.',
      defaultValue: false,
    },
  ],
  check: async (dataset, options) =>
    toCheck(await checkDataset(dataset), options.provenance ? [] : [losses.provenance]),
  write,
  reader: { detect, read, open },
};
