import type { Dataset, DatasetImage, ObjectLabel } from '../dataset';

const isSaid = ({ outline, parts, absent }: ObjectLabel): boolean =>
  outline !== null || parts.length > 0 || absent.length > 0;

/**
 * Whether somebody drew on the image, or looked for parts and found none. Of any other image only the class is known:
 * its pixels are no background.
 */
export const isLabelled = (image: DatasetImage): boolean =>
  image.hasMasks &&
  (image.attributeMasks.length > 0 ||
    image.objects.some(isSaid) ||
    // Merging leaves no trace of parts that were looked for.
    (image.original?.objects.some(isSaid) ?? false));

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
  isDrawn: (image: DatasetImage) => boolean = isLabelled,
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

/** For layouts that have a value for pixels which nobody labelled. */
export const classOnlyLoss = (count: number): string[] =>
  count > 0
    ? [`${counted(count)} written with the class only: nothing was drawn on ${count === 1 ? 'it' : 'them'}.`]
    : [];

const counted = (count: number): string => (count === 1 ? '1 image is' : `${count} images are`);
