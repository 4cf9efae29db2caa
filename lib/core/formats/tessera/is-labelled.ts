import type { Dataset, DatasetImage, ObjectLabel } from '../dataset';

const hasParts = ({ parts, absent }: ObjectLabel): boolean => parts.length > 0 || absent.length > 0;
const isSaid = (object: ObjectLabel): boolean => object.outline !== null || hasParts(object);

/** Merging leaves no trace of parts that were looked for: what the image had before counts as well. */
const hasObject = (image: DatasetImage, has: (object: ObjectLabel) => boolean): boolean =>
  image.hasMasks && (image.objects.some(has) || (image.original?.objects.some(has) ?? false));

/**
 * For maps of parts: whether somebody drew parts of the image, or looked for them and found none. Of any other image
 * only the class is known, of one with an outline too: its pixels are no background.
 */
export const isLabelled = (image: DatasetImage): boolean => hasObject(image, hasParts);

/** For maps of objects: whether somebody drew on the image at all, or looked for parts and found none. */
export const isDrawnOn = (image: DatasetImage): boolean =>
  hasObject(image, isSaid) || (image.hasMasks && image.attributeMasks.length > 0);

interface Kept {
  dataset: Dataset;
  /** What was left out in the last pass, as a sentence. */
  losses(): string[];
}

/**
 * For layouts in which an image that nobody drew on would say that there is nothing to draw. Images whose masks an option
 * took away stay: the check refuses that option by its name.
 */
export function keepDrawn(
  dataset: Dataset,
  isDrawn: (image: DatasetImage) => boolean = isDrawnOn,
  why = 'where nothing was drawn, readers of this layout would see background',
): Kept {
  let left = 0;
  return {
    dataset: {
      ...dataset,
      async *images() {
        left = 0;
        for await (const image of dataset.images())
          if (!image.hasMasks || isDrawn(image)) yield image;
          else left += 1;
      },
    },
    losses: () => (left > 0 ? [`${counted(left)} left out: ${why}.`] : []),
  };
}

/** For layouts that have a value for pixels of which nobody said what part they are. */
export const classOnlyLoss = (count: number): string[] =>
  count > 0
    ? [
        `${counted(count)} written with the class only: no part of ${count === 1 ? 'it' : 'them'} was drawn or looked for.`,
      ]
    : [];

const counted = (count: number): string => (count === 1 ? '1 image is' : `${count} images are`);
