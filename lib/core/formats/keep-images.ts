import type { Dataset, DatasetImage } from './dataset';

/** The dataset without the images that a format has no use for. `count` stays that of the version. */
export const keepImages = (dataset: Dataset, keep: (image: DatasetImage) => boolean): Dataset => ({
  ...dataset,
  async *images() {
    for await (const image of dataset.images()) if (keep(image)) yield image;
  },
});
