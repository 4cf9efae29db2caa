import type { Format } from '../format';
import { checkAll } from '../general/check';
import { checked } from '../general/says';
import { detect, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'png-masks',
  name: 'PNG masks and CSV',
  summary: 'A black and white PNG for every mask, with two tables of images and masks.',
  kind: 'general',
  options: [],
  check: async (dataset) => checked(await checkAll(dataset), []),
  write,
  reader: { detect, read },
};
