/** Float32 on two engines: more than this is not rounding. In units of the greatest value. */
export const EXPORT_TOLERANCE = 1e-3;

/** What differs by more than rounding: such a model does not compute what was trained. */
export const beyondTolerance = (check: Record<string, unknown>): string[] =>
  Object.entries(check)
    .filter(([, apart]) => typeof apart !== 'number' || !(apart <= EXPORT_TOLERANCE))
    .map(([name]) => name);
