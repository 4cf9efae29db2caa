import type { Format } from '../format';
import { checkDataset, toCheck } from '../shared/check';
import { detect, open, read } from './read';
import { splitName, write } from './write';

export const format: Format = {
  id: 'hf-parquet',
  name: 'Hugging Face Parquet',
  summary: 'Parquet files that the datasets library opens as pictures with classes and masks.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  options: [
    {
      name: 'shard',
      kind: 'number',
      description: 'Images in a Parquet file.',
      min: 1,
      max: 10_000,
      isWhole: true,
      defaultValue: 1000,
    },
  ],
  check: async (dataset) => {
    const problems = await checkDataset(dataset);
    const renamed = dataset.splits.filter((split) => splitName(split) !== split);
    for (const split of renamed)
      if (dataset.splits.some((other) => other !== split && splitName(other) === splitName(split)))
        problems.add('Two splits have the same name in a Parquet dataset. Rename one.', split);
    return toCheck(
      problems,
      renamed.map((split) => `The split "${split}" is called "${splitName(split)}".`),
    );
  },
  write,
  reader: { detect, read, open },
};
