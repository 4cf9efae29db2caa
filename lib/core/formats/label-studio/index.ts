import type { Format } from '../format';
import { checkAll, checked, losses } from '../shared/check';
import { detect, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'label-studio',
  name: 'Label Studio JSON',
  summary: 'Tasks with brush masks and choices, the labelling interface and the pictures.',
  kind: 'general',
  options: [],
  check: async (dataset) => checked(await checkAll(dataset), [losses.provenance]),
  write,
  reader: { detect, read },
};
