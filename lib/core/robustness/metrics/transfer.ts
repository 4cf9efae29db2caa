import { groupBy } from '@/lib/core/quality/group-by';
import { countFmr, type Fmr, type FmrCounts, type FmrRow, fmrOf } from './fmr';

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
