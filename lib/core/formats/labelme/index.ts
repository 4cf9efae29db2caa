import type { Format } from '../format';
import { checkAll } from '../general/check';
import { checked, losses } from '../general/says';
import { detect, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'labelme',
  name: 'LabelMe',
  summary: 'A JSON beside each picture, with masks as cut-out PNGs and objects as groups.',
  kind: 'general',
  options: [],
  check: async (dataset) =>
    checked(
      await checkAll(dataset, {
        name: (name) => (/^tessera-schema\./i.test(name) ? 'is taken by the file of the schema' : null),
      }),
      [losses.provenance],
    ),
  write,
  reader: { detect, read },
};
