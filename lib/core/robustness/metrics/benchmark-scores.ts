import { mean, sum } from 'd3-array';

/**
 * Relative foreground sensitivity (RIVAL10): accuracy difference between noise in the background and in the foreground,
 * divided by the maximum possible at that mean accuracy. Null if both accuracies are 0 or both are 1.
 */
export function rfs(foreground: number, background: number): number | null {
  const accuracy = (foreground + background) / 2;
  const max = 2 * Math.min(accuracy, 1 - accuracy);
  return max <= 1e-12 ? null : (background - foreground) / max;
}

interface LevelAccuracy {
  foreground: number;
  background: number;
}

/** Headline value: RFS of the mean accuracies over all levels. Defined even if single levels saturate. */
export const rfsOfMeans = (levels: readonly LevelAccuracy[]): number | null =>
  levels.length === 0
    ? null
    : rfs(
        mean(levels, ({ foreground }) => foreground) as number,
        mean(levels, ({ background }) => background) as number,
      );

/** Mean of the RFS of each level, skipping undefined levels. Can differ strongly from the headline value. */
export function meanOfRfs(levels: readonly LevelAccuracy[]): number | null {
  const found = levels
    .map(({ foreground, background }) => rfs(foreground, background))
    .filter((each) => each !== null);
  return mean(found) ?? null;
}

/** RFS of one image, from the mean probability of its true class. */
export const instanceRfs = (foreground: readonly number[], background: readonly number[]): number | null =>
  foreground.length === 0 || background.length === 0
    ? null
    : rfs(mean(foreground) as number, mean(background) as number);

/** Whether the accuracy at a level is between chance and 99 %; otherwise RFS is dominated by noise. */
export const isInformative = ({ foreground, background }: LevelAccuracy, classes: number): boolean => {
  const accuracy = (foreground + background) / 2;
  return accuracy >= 1 / classes && accuracy <= 0.99;
};

/** Decision on a picture with shape and texture of different classes. */
export interface CueRow {
  shape: string;
  texture: string;
  decision: string;
}

interface ShapeBias {
  /** Pictures with conflicting cues. */
  conflicts: number;
  shape: number;
  texture: number;
  /** Shape decisions among shape and texture decisions; null without any. */
  bias: number | null;
  /** Share of decisions for either cue. */
  cueAccuracy: number | null;
}

export function shapeBias(rows: readonly CueRow[]): ShapeBias {
  const conflicts = rows.filter(({ shape, texture }) => shape !== texture);
  const shape = conflicts.filter((row) => row.decision === row.shape).length;
  const texture = conflicts.filter((row) => row.decision === row.texture).length;
  return {
    conflicts: conflicts.length,
    shape,
    texture,
    bias: shape + texture === 0 ? null : shape / (shape + texture),
    cueAccuracy: conflicts.length === 0 ? null : (shape + texture) / conflicts.length,
  };
}

/** Prediction for an object on the background of another image. */
interface MixedRow {
  object: string;
  background: string;
  predicted: string;
}

/** Accuracy, and the rate of predicting the class of the background instead. */
export function readMixed(rows: readonly MixedRow[]): { accuracy: number | null; follows: number | null } {
  if (rows.length === 0) return { accuracy: null, follows: null };
  const right = rows.filter(({ object, predicted }) => predicted === object).length;
  const follows = rows.filter(
    ({ object, background, predicted }) => background !== object && predicted === background,
  ).length;
  return { accuracy: right / rows.length, follows: follows / rows.length };
}

/** Background gap of ImageNet-9: accuracy with backgrounds of the same class minus other classes. */
export const backgroundGap = (same: number, other: number): number => same - other;

/** Errors of one corruption by severity, and those of the reference model. */
interface CorruptionErrors {
  errors: readonly number[];
  reference: readonly number[];
}

/** Corruption error (ImageNet-C): errors relative to the reference; null if the reference makes no errors. */
export const corruptionError = ({ errors, reference }: CorruptionErrors): number | null =>
  ratio(sum(errors), sum(reference));

/** Relative corruption error: increase over the clean error, relative to the reference. */
export const relativeCorruptionError = (
  { errors, reference }: CorruptionErrors,
  clean: number,
  referenceClean: number,
): number | null =>
  ratio((mean(errors) ?? Number.NaN) - clean, (mean(reference) ?? Number.NaN) - referenceClean);

export function meanCorruptionError(all: readonly CorruptionErrors[]): number | null {
  const found = all.map(corruptionError).filter((each) => each !== null);
  return mean(found) ?? null;
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Predictions for one image before and after an applicable edit. */
export interface EditRow {
  sample: string;
  truth: number;
  clean: number;
  edited: number;
}

interface EditDrop {
  before: number;
  after: number;
  /** before − after, on the same images. */
  drop: number;
  n: number;
}

export function editDrop(rows: readonly EditRow[]): EditDrop | null {
  const n = rows.length;
  if (n === 0) return null;
  const before = rows.filter(({ truth, clean }) => clean === truth).length;
  const after = rows.filter(({ truth, edited }) => edited === truth).length;
  return { before: before / n, after: after / n, drop: (before - after) / n, n };
}

/** Accuracy drop relative to the cut-and-paste control, on images with both. */
export function dropBeyondControl(rows: readonly EditRow[], control: readonly EditRow[]): EditDrop | null {
  const pasted = new Map(control.map((row) => [row.sample, row.edited]));
  return editDrop(
    rows.flatMap((row) => {
      const clean = pasted.get(row.sample);
      return clean === undefined ? [] : [{ ...row, clean }];
    }),
  );
}

/** Share of images that stay correct under every applicable edit; null without edits. */
export function worstEditAccuracy(
  edits: readonly (readonly EditRow[])[],
): { value: number; n: number } | null {
  const isRight = new Map<string, boolean>();
  for (const { sample, truth, edited } of edits.flat())
    isRight.set(sample, (isRight.get(sample) ?? true) && edited === truth);
  const n = isRight.size;
  return n === 0 ? null : { value: [...isRight.values()].filter(Boolean).length / n, n };
}

/** Share of predictions that an edit does not change. */
export const consistency = (rows: readonly EditRow[]): number | null =>
  rows.length === 0 ? null : rows.filter(({ clean, edited }) => clean === edited).length / rows.length;
