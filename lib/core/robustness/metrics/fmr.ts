import { mean } from 'd3-array';
import { groupBy } from '@/lib/core/quality/group-by';

/** One image of a foundation-model-oriented evaluation: what is right, and what the model said before and after. */
export interface FmrRow {
  truth: string;
  clean: string;
  /** The oracle still saw the true class in the first perturbed image. */
  isValidated: boolean;
  /** Null where it was not validated. */
  perturbed: string | null;
}

export interface FmrCounts {
  images: number;
  cleanCorrect: number;
  validated: number;
  perturbedCorrect: number;
  /** Of the validated ones, right on the clean picture. */
  cleanCorrectValidated: number;
}

interface Fmr {
  /** Standard accuracy, over all images. */
  sa: number | null;
  /** Validation rate. */
  vr: number | null;
  /** Perturbed accuracy, over validated images only. */
  pa: number | null;
  /** pa / sa; above 1 where perturbing helps, and not cut. */
  fmr: number | null;
  /** pa / (accuracy on the clean pictures of the validated ones): the same images above and below. */
  fmrMatched: number | null;
}

export function countFmr(rows: readonly FmrRow[]): FmrCounts {
  const validated = rows.filter(({ isValidated }) => isValidated);
  const right = (row: FmrRow) => row.clean === row.truth;
  return {
    images: rows.length,
    cleanCorrect: rows.filter(right).length,
    validated: validated.length,
    perturbedCorrect: validated.filter(({ truth, perturbed }) => perturbed === truth).length,
    cleanCorrectValidated: validated.filter(right).length,
  };
}

export function fmrOf(counts: Omit<FmrCounts, 'cleanCorrectValidated'> & Partial<FmrCounts>): Fmr {
  const { images, cleanCorrect, validated, perturbedCorrect, cleanCorrectValidated } = counts;
  const sa = ratio(cleanCorrect, images);
  const pa = ratio(perturbedCorrect, validated);
  return {
    sa,
    vr: ratio(validated, images),
    pa,
    fmr: sa && pa !== null ? pa / sa : null,
    fmrMatched: cleanCorrectValidated ? ratio(perturbedCorrect, cleanCorrectValidated) : null,
  };
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

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

/** An image that was driven away from one model and shown to another: what is said, clean and perturbed, is the other's. */
export interface TransferRow extends FmrRow {
  /** Whom the picture was made against. */
  from: string;
  /** Who looks at it. */
  to: string;
}

export interface TransferCell extends Fmr {
  counts: FmrCounts;
}

/**
 * A line for each model that pictures were made against, a column for each that looks at them; null where it was not
 * shown any. On the diagonal stands what FMR says of the model by itself.
 */
export function transferMatrix(
  rows: readonly TransferRow[],
  models: readonly string[],
): (TransferCell | null)[][] {
  const cells = groupBy(rows, ({ from, to }) => JSON.stringify([from, to]));
  return models.map((from) =>
    models.map((to) => {
      const own = cells.get(JSON.stringify([from, to]));
      if (!own) return null;
      const counts = countFmr(own);
      return { ...fmrOf(counts), counts };
    }),
  );
}
