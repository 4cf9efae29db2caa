import type { Format } from '../format';
import { checkAll } from '../general/check';
import { checked } from '../general/says';
import { detect, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'hf-parquet',
  name: 'Hugging Face Parquet',
  summary: 'Parquet files that the datasets library opens as pictures with classes and masks.',
  kind: 'general',
  options: [
    {
      name: 'shard',
      kind: 'number',
      says: 'Images in a Parquet file.',
      min: 1,
      max: 10_000,
      isWhole: true,
      otherwise: 1000,
    },
  ],
  check: async (dataset) => checked(await checkAll(dataset), []),
  write,
  reader: { detect, read },
};
