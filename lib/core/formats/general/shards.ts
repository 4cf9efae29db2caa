import type { Dataset, DatasetImage } from '../dataset';

/** Some images of one split that go into one file. */
export interface Shard {
  split: string;
  /** From 0, within the split. */
  index: number;
  images: DatasetImage[];
}

/** The dataset in shards of a size: of each split one waits at a time, whatever the size of the dataset. */
export async function* shardsOf(dataset: Dataset, size: number): AsyncGenerator<Shard> {
  const open = new Map<string, Shard>();
  for await (const image of dataset.images()) {
    const { split } = image;
    const current = open.get(split) ?? { split, index: 0, images: [] };
    current.images.push(image);
    open.set(split, current);
    if (current.images.length < size) continue;
    yield current;
    open.set(split, { split, index: current.index + 1, images: [] });
  }
  for (const rest of open.values()) if (rest.images.length > 0) yield rest;
}
