import type { Format } from '../format';
import { checkAll } from '../general/check';
import { checked } from '../general/says';
import { detect, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'datumaro',
  name: 'Datumaro',
  summary: 'One JSON per split with masks as runs; parts have their class as parent.',
  kind: 'general',
  options: [],
  check: async (dataset) => checked(await checkAll(dataset), []),
  write,
  reader: { detect, read },
};
