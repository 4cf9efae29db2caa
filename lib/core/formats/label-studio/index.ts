import type { Format } from '../format';
import { checkDataset, losses, toCheck } from '../shared/check';
import { detect, open, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'label-studio',
  name: 'Label Studio JSON',
  summary: 'Tasks with brush masks and choices, the labelling interface and the pictures.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  options: [],
  check: async (dataset) => toCheck(await checkDataset(dataset), [losses.provenance]),
  write,
  reader: { detect, read, open },
};
