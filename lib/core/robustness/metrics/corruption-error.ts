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
): number | null => ratio(mean(errors) - clean, mean(reference) - referenceClean);

export function meanCorruptionError(all: readonly CorruptionErrors[]): number | null {
  const found = all.map(corruptionError).filter((each) => each !== null);
  return found.length === 0 ? null : mean(found);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
