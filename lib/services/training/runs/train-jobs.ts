import type { LauncherKind } from '../launch';

/** Trains on the machine of the worker: one at a time, as a run uses every processor there is. */
export const TRAIN_JOB = 'train-run';

/** See to a run that trains elsewhere: they only wait, so that many of them do at once, and neither kind keeps the other waiting. */
export const TRAIN_SLURM_JOB = 'train-run-slurm';
export const TRAIN_ELSEWHERE_JOB = 'train-run-elsewhere';

const kinds: Record<LauncherKind, string> = {
  local: TRAIN_JOB,
  slurm: TRAIN_SLURM_JOB,
  remote: TRAIN_ELSEWHERE_JOB,
};

export const trainJobOf = (launcher: LauncherKind): string => kinds[launcher];
