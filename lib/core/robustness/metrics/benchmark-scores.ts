import { mean, sum } from 'd3-array';

/**
 * Relative foreground sensitivity (RIVAL10): how much more noise in the background is borne than noise in the foreground,
 * in units of what is possible at that mean accuracy. Null where both are 0 or both are 1: nothing can be told.
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

/** A picture whose shape is of one class and whose texture of another. */
export interface CueRow {
  shape: string;
  texture: string;
  decision: string;
}

interface ShapeBias {
  /** Pictures whose cues are in conflict. */
  conflicts: number;
  shape: number;
  texture: number;
  /** Shape decisions among those for either cue; null where there was none. */
  bias: number | null;
  /** Decisions for either cue: a bias over few of them is noise. */
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

/** An object on another image's background, and what the model saw in it. */
interface MixedRow {
  object: string;
  background: string;
  predicted: string;
}

/** How often the object was seen, and how often the background's class instead of it. */
export function readMixed(rows: readonly MixedRow[]): { accuracy: number | null; follows: number | null } {
  if (rows.length === 0) return { accuracy: null, follows: null };
  const right = rows.filter(({ object, predicted }) => predicted === object).length;
  const follows = rows.filter(
    ({ object, background, predicted }) => background !== object && predicted === background,
  ).length;
  return { accuracy: right / rows.length, follows: follows / rows.length };
}

/** What a background of another class costs beside one of the same class. */
export const backgroundGap = (same: number, other: number): number => same - other;

/** Errors of one corruption by severity, and those of the model that it is measured against. */
interface CorruptionErrors {
  errors: readonly number[];
  reference: readonly number[];
}

/** Errors in units of the reference's; null where the reference never errs. */
export const corruptionError = ({ errors, reference }: CorruptionErrors): number | null =>
  ratio(sum(errors), sum(reference));

/** The same for what the corruption adds to the error on clean pictures. */
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

/** What a model said of one image before and after one edit that is valid for it. */
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

/** What the edit costs beyond cutting out and laying back, on images where both are valid. */
export function dropBeyondControl(rows: readonly EditRow[], control: readonly EditRow[]): EditDrop | null {
  const pasted = new Map(control.map((row) => [row.sample, row.edited]));
  return editDrop(
    rows.flatMap((row) => {
      const clean = pasted.get(row.sample);
      return clean === undefined ? [] : [{ ...row, clean }];
    }),
  );
}

/** Share of images that are right under every edit that is valid for them; null where no edit is. */
export function worstEditAccuracy(
  edits: readonly (readonly EditRow[])[],
): { value: number; n: number } | null {
  const isRight = new Map<string, boolean>();
  for (const { sample, truth, edited } of edits.flat())
    isRight.set(sample, (isRight.get(sample) ?? true) && edited === truth);
  const n = isRight.size;
  return n === 0 ? null : { value: [...isRight.values()].filter(Boolean).length / n, n };
}

/** Share of predictions that an edit leaves as they were, right or wrong. */
export const consistency = (rows: readonly EditRow[]): number | null =>
  rows.length === 0 ? null : rows.filter(({ clean, edited }) => clean === edited).length / rows.length;
