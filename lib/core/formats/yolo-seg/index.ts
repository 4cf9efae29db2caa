import type { Format } from '../format';
import { checkAll } from '../general/check';
import { checked, losses } from '../general/says';
import { detect, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'yolo-seg',
  name: 'YOLO segmentation',
  summary: 'A text file of polygons for every picture, and data.yaml, as Ultralytics reads them.',
  kind: 'general',
  options: [],
  check: async (dataset) =>
    checked(
      await checkAll(dataset, {
        name: (name) => (/\s/.test(name) ? 'has a space, which lists of YOLO cannot hold' : null),
      }),
      [
        'Every mask is one polygon: pieces and holes hang together by bridges. By COCO’s rule the mask is the same; tools that draw the border of a polygon add lines one pixel wide.',
        'Which parts belong to which object is left out: parts, objects and attributes are rows of their own.',
        losses.facts,
        'Attributes without a mask are left out.',
        losses.absent,
        losses.provenance,
        ...['train', 'val']
          .filter((split) => !dataset.splits.includes(split))
          .map((split) => `There is no split "${split}", without which Ultralytics does not begin to train.`),
      ],
    ),
  write,
  reader: { detect, read },
};
