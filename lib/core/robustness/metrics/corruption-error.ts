import { mean, sum } from 'd3-array';

/** Errors of one corruption by severity, and those of the model that it is measured against. */
export interface CorruptionErrors {
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
