import type { Mix } from '../crew';

/** A crowd and what is known about it. */
export type Crowd = {
  name: string;
  mix: Mix;
  /** Items of an exam that everybody passed, 0 for no exam. */
  exam: number;
  /** Hidden checks that the workers have answered, in turn. */
  checks: readonly number[];
};

/** From new to long known. Every third worker has no check at all or a single one. */
const fewChecks = [0, 1, 3, 6, 12, 24];

/** Crowds of different quality, with and without exams. */
export const crowds: readonly Crowd[] = [
  { name: 'careful', mix: { careful: 5, average: 5 }, exam: 0, checks: fewChecks },
  { name: 'usual', mix: { careful: 5, average: 4, sloppy: 2, spammer: 1 }, exam: 0, checks: fewChecks },
  { name: 'poor', mix: { careful: 2, average: 4, sloppy: 3, spammer: 1 }, exam: 0, checks: fewChecks },
  { name: 'examined', mix: { careful: 5, average: 4, sloppy: 2, spammer: 1 }, exam: 5, checks: fewChecks },
];
