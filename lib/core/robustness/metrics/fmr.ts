import { mean } from 'd3-array';
import { groupBy } from '@/lib/core/quality/group-by';

/** One image of an FMR evaluation: true class and predictions before and after the perturbation. */
export interface FmrRow {
  truth: string;
  clean: string;
  /** The oracle recognised the true class in the first perturbed image. */
  isValidated: boolean;
  /** Null if not validated. */
  perturbed: string | null;
}

export interface FmrCounts {
  images: number;
  cleanCorrect: number;
  validated: number;
  perturbedCorrect: number;
  /** Validated images that are correct on the clean picture. */
  cleanCorrectValidated: number;
}

interface Fmr {
  /** Standard accuracy, over all images. */
  sa: number | null;
  /** Validation rate. */
  vr: number | null;
  /** Perturbed accuracy, over validated images only. */
  pa: number | null;
  /** pa / sa; can exceed 1. */
  fmr: number | null;
  /** pa / (clean accuracy of the validated images): numerator and denominator use the same images. */
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

/** A row with the length of its chain. */
export interface FmrChainRow extends FmrRow {
  /** Number of accepted pictures; 0 if not validated. */
  steps: number;
  /** The oracle recognises the true class in the clean picture. */
  isOracleRight: boolean;
}

/** In the order of the classes, including classes without images (null values). */
export function fmrByClass(
  rows: readonly FmrRow[],
  classes: readonly string[],
): { className: string; counts: FmrCounts; fmr: Fmr }[] {
  return classes.map((className) => {
    const counts = countFmr(rows.filter(({ truth }) => truth === className));
    return { className, counts, fmr: fmrOf(counts) };
  });
}

/** Mean number of accepted steps over the validated images. */
export function meanSteps(rows: readonly FmrChainRow[]): number | null {
  const validated = rows.filter(({ isValidated }) => isValidated);
  return mean(validated, ({ steps }) => steps) ?? null;
}

/** Accuracy of the oracle on clean pictures. */
export const oracleAgreement = (rows: readonly FmrChainRow[]): number | null =>
  rows.length === 0 ? null : rows.filter(({ isOracleRight }) => isOracleRight).length / rows.length;

/** An adversarial example for one model, evaluated on another; both predictions are of the other model. */
export interface TransferRow extends FmrRow {
  /** Model that the example was generated for. */
  from: string;
  /** Evaluated model. */
  to: string;
}

export interface TransferCell extends Fmr {
  counts: FmrCounts;
}

/**
 * Transfer matrix: one row per source model, one column per evaluated model; null without results. The diagonal is the FMR
 * of each model.
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
