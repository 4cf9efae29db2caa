import { mean } from 'd3-array';
import { countFmr, type Fmr, type FmrCounts, type FmrRow, fmrOf } from './fmr';

/** A row with how far its chain went. */
export interface FmrChainRow extends FmrRow {
  /** Accepted pictures; 0 where it was not validated. */
  steps: number;
  /** The oracle sees the true class in the clean picture. */
  isOracleRight: boolean;
}

/** In the order of the classes; those without an image are there with nulls. */
export function fmrByClass(
  rows: readonly FmrRow[],
  classes: readonly string[],
): { className: string; counts: FmrCounts; fmr: Fmr }[] {
  return classes.map((className) => {
    const counts = countFmr(rows.filter(({ truth }) => truth === className));
    return { className, counts, fmr: fmrOf(counts) };
  });
}

/** How many steps the oracle went along, over the validated images. */
export function meanSteps(rows: readonly FmrChainRow[]): number | null {
  const validated = rows.filter(({ isValidated }) => isValidated);
  return mean(validated, ({ steps }) => steps) ?? null;
}

/** How often the oracle is right before anything was changed: below this its word is worth little. */
export const oracleAgreement = (rows: readonly FmrChainRow[]): number | null =>
  rows.length === 0 ? null : rows.filter(({ isOracleRight }) => isOracleRight).length / rows.length;
