import { invalid } from '@/lib/core/errors';

/** Every image, whatever its split. */
export const ALL = 'all';

/** The split that was asked for, or null for all images. A name that the version does not have is not guessed at. */
export function chosenSplit(asked: string, splits: readonly string[]): string | null {
  if (splits.includes(asked)) return asked;
  if (asked === ALL) return null;
  throw invalid(
    `The version has no split "${asked}". It has ${splits.toSorted().join(', ')}; say "${ALL}" for all images.`,
    { splits },
  );
}
