import type { Dataset, DatasetImage } from '../dataset';

export interface Numbered {
  image: DatasetImage;
  /** From 1, through all splits, so that no number comes twice when files are put together. */
  imageId: number;
  /** How many annotations the images before it have. */
  before: number;
}

/**
 * Images of a split with their numbers among those of all splits. Counting the annotations of an image means reading its
 * labels: it is done once, and later passes leave the labels of other splits alone.
 */
export function numbered(
  dataset: Dataset,
  countOf: (image: DatasetImage) => number,
): (split: string) => AsyncGenerator<Numbered> {
  const counts: number[] = [];
  return async function* (split) {
    let position = 0;
    let before = 0;
    for await (const image of dataset.images()) {
      const count = counts[position] ?? countOf(image);
      counts[position] = count;
      position += 1;
      if (image.split === split) yield { image, imageId: position, before };
      before += count;
    }
  };
}
