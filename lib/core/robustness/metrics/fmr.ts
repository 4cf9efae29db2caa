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

export interface Fmr {
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
