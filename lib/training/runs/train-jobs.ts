import type { LauncherKind } from '../launch';

/** Trains on the machine of the worker: one at a time, as a run uses every processor there is. */
export const TRAIN_JOB = 'train-run';

/** Sees to a run that trains elsewhere: it only waits, so that many of them do at once. */
export const TRAIN_ELSEWHERE_JOB = 'train-run-elsewhere';

export const trainJobOf = (launcher: LauncherKind): string =>
  launcher === 'local' ? TRAIN_JOB : TRAIN_ELSEWHERE_JOB;
