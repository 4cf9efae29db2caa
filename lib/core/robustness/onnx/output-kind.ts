/** What a model's numbers are. */
export type OutputKind = 'logits' | 'probs';

const APART = 1e-5;
/** Below this a probability is a rounded zero, and its logarithm means nothing. */
const SMALLEST = 1e-12;

/** Probabilities lie between 0 and 1 and add up to 1 in every row; logits do so by chance only. */
export function outputKind(rows: readonly ArrayLike<number>[]): OutputKind {
  const isProbs = rows.every((row) => {
    const values = Array.from(row);
    const sum = values.reduce((total, value) => total + value, 0);
    return values.every((value) => value >= 0 && value <= 1) && Math.abs(sum - 1) <= APART;
  });
  return isProbs && rows.length > 0 ? 'probs' : 'logits';
}

/**
 * Logits whatever the model gives: log p differs from them by the same amount in every class, so margins and cross
 * entropy are the same.
 */
export const asLogits = (row: Float32Array, kind: OutputKind): Float32Array =>
  kind === 'logits' ? row : row.map((p) => Math.log(Math.max(p, SMALLEST)));

/** A probability was a rounded zero: how far ahead the best class is cannot be told. */
export const isSaturated = (row: ArrayLike<number>, kind: OutputKind): boolean =>
  kind === 'probs' && Array.from(row).some((p) => p < SMALLEST);
