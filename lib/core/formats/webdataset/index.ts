import type { Format } from '../format';
import { checkAll } from '../general/check';
import { checked } from '../general/says';
import { stemOf } from '../names';
import { detect, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'webdataset',
  name: 'WebDataset',
  summary: 'Tar shards of samples: picture, class number and a JSON with all labels.',
  kind: 'general',
  options: [
    {
      name: 'shard',
      kind: 'number',
      says: 'Samples in a tar file.',
      min: 1,
      max: 10_000,
      isWhole: true,
      otherwise: 1000,
    },
  ],
  check: async (dataset) =>
    checked(
      await checkAll(dataset, {
        name: (name) =>
          stemOf(name).includes('.') ? 'has a dot before its ending, where WebDataset would cut it' : null,
      }),
      [],
    ),
  write,
  reader: { detect, read },
};
