import type { Format } from '../format';
import { checkDataset, toCheck } from '../shared/check';
import { detect, open, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'coco',
  name: 'COCO instances',
  summary: 'One JSON per split with masks of objects, parts and attributes, and the pictures.',
  kind: 'general',
  options: [
    {
      name: 'segmentation',
      kind: 'choice',
      says: 'How masks are written.',
      values: [
        { value: 'rle', says: 'As runs, which hold every mask.' },
        { value: 'polygons', says: 'As polygons that give the same mask; masks with holes stay runs.' },
      ],
      otherwise: 'rle',
    },
  ],
  check: async (dataset) => toCheck(await checkDataset(dataset), []),
  write,
  reader: { detect, read, open },
};
