/** Softmax; null if a logit is not finite. */
export function softmax(logits: ArrayLike<number>): Float64Array | null {
  const values = Float64Array.from(logits);
  if (values.length === 0 || values.some((value) => !Number.isFinite(value))) return null;
  const max = values.reduce((a, b) => Math.max(a, b));
  const powers = values.map((value) => Math.exp(value - max));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

/** Index of the largest value, the first of equals. */
export const argmax = (values: ArrayLike<number>): number => {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[best] as number)) best = i;
  return best;
};

/** Logit of the true class minus the largest other logit; an attack succeeds at 0 or below. */
export function margin(logits: ArrayLike<number>, truth: number): number {
  let other = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logits.length; i++) if (i !== truth) other = Math.max(other, logits[i] as number);
  return (logits[truth] as number) - other;
}

/** Cross entropy of the true class. */
export function crossEntropy(logits: ArrayLike<number>, truth: number): number {
  const max = Math.max(...Array.from(logits));
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp((logits[i] as number) - max);
  return Math.log(sum) + max - (logits[truth] as number);
}

/** Difference of logits ratio (DLR), invariant to scaling of the logits. Needs three classes. */
export function dlr(logits: ArrayLike<number>, truth: number): number {
  const sorted = Array.from(logits).sort((a, b) => b - a);
  const [first, , third] = sorted as [number, number, number];
  return -margin(logits, truth) / (first - third + TINY);
}

/** Targeted DLR. Needs four classes. */
export function targetedDlr(logits: ArrayLike<number>, truth: number, target: number): number {
  const [first, , third, fourth] = Array.from(logits).sort((a, b) => b - a) as [
    number,
    number,
    number,
    number,
  ];
  const ahead = (logits[truth] as number) - (logits[target] as number);
  return -ahead / (first - (third + fourth) / 2 + TINY);
}

/** As in the AutoAttack code; avoids division by zero for equal logits. */
const TINY = 1e-12;

/** Kind of model output. */
export type OutputKind = 'logits' | 'probs';

const APART = 1e-5;
/** Smaller probabilities are rounding errors. */
const SMALLEST = 1e-12;

/** Recognises probabilities: every row lies between 0 and 1 and sums to 1. */
export function outputKind(rows: readonly ArrayLike<number>[]): OutputKind {
  const isProbs = rows.every((row) => {
    const values = Array.from(row);
    const sum = values.reduce((total, value) => total + value, 0);
    return values.every((value) => value >= 0 && value <= 1) && Math.abs(sum - 1) <= APART;
  });
  return isProbs && rows.length > 0 ? 'probs' : 'logits';
}

/**
 * Converts model outputs to logits. Log-probabilities differ from logits by a constant, so margins and cross entropy are
 * the same.
 */
export const asLogits = (row: Float32Array, kind: OutputKind): Float32Array =>
  kind === 'logits' ? row : row.map((p) => Math.log(Math.max(p, SMALLEST)));

/** Whether a probability underflowed, which makes margins meaningless. */
export const isSaturated = (row: ArrayLike<number>, kind: OutputKind): boolean =>
  kind === 'probs' && Array.from(row).some((p) => p < SMALLEST);
