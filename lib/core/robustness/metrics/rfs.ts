import { mean } from 'd3-array';

/**
 * Relative foreground sensitivity (RIVAL10): how much more noise in the background is borne than noise in the foreground,
 * in units of what is possible at that mean accuracy. Null where both are 0 or both are 1: nothing can be told.
 */
export function rfs(foreground: number, background: number): number | null {
  const accuracy = (foreground + background) / 2;
  const most = 2 * Math.min(accuracy, 1 - accuracy);
  return most <= 1e-12 ? null : (background - foreground) / most;
}

export interface LevelAccuracy {
  foreground: number;
  background: number;
}

/** The headline: of the mean accuracies over the levels. It stays defined where single levels saturate. */
export const rfsOfMeans = (levels: readonly LevelAccuracy[]): number | null =>
  levels.length === 0
    ? null
    : rfs(
        mean(levels, ({ foreground }) => foreground) as number,
        mean(levels, ({ background }) => background) as number,
      );

/** The mean of each level's own; levels without one are left out. Differs strongly from the headline: always named. */
export function meanOfRfs(levels: readonly LevelAccuracy[]): number | null {
  const found = levels
    .map(({ foreground, background }) => rfs(foreground, background))
    .filter((each) => each !== null);
  return mean(found) ?? null;
}

/** Of one image: from the probability of its true class, averaged over the trials first. */
export const instanceRfs = (foreground: readonly number[], background: readonly number[]): number | null =>
  foreground.length === 0 || background.length === 0
    ? null
    : rfs(mean(foreground) as number, mean(background) as number);

/** A level where the model guesses, or errs nearly never, divides noise by almost nothing. */
export const isInformative = ({ foreground, background }: LevelAccuracy, classes: number): boolean => {
  const accuracy = (foreground + background) / 2;
  return accuracy >= 1 / classes && accuracy <= 0.99;
};
