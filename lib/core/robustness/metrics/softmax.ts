/** Probabilities of logits; null where one of them is not finite. */
export function softmax(logits: ArrayLike<number>): Float64Array | null {
  const values = Float64Array.from(logits);
  if (values.length === 0 || values.some((value) => !Number.isFinite(value))) return null;
  const most = values.reduce((a, b) => Math.max(a, b));
  const powers = values.map((value) => Math.exp(value - most));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

/** Of equal values the first. */
export const firstOfMost = (values: ArrayLike<number>): number => {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[best] as number)) best = i;
  return best;
};
