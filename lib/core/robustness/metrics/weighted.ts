/** Mean of values by weights, and how many equally weighted samples would tell as much (Kish). Null without weight. */
export function weightedMean(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
): { mean: number; effective: number } | null {
  let [sum, total, squares] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i] as number;
    sum += weight * (values[i] as number);
    total += weight;
    squares += weight * weight;
  }
  return total > 0 ? { mean: sum / total, effective: (total * total) / squares } : null;
}
