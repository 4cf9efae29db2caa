import type { Format } from '../format';
import { checkDataset, losses, toCheck } from '../shared/check';
import { detect, open, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'coco-panoptic',
  name: 'COCO panoptic',
  summary: 'One JSON per split and a map of segments for every picture, objects and parts in one.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd'],
  holdsClasses: false,
  options: [],
  async check(dataset) {
    const hasAttributes = dataset.schema.attributes.some(({ kind }) => kind === 'localised');
    return toCheck(await checkDataset(dataset), [
      losses.overlap,
      'The outline of an object is what its parts leave of it; where parts reach beyond it, they widen it.',
      ...(hasAttributes ? ['Masks of attributes are left out.'] : []),
      losses.provenance,
    ]);
  },
  write,
  reader: { detect, read, open },
};
