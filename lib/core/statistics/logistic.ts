import { minimise } from './minimise';

/** Forms with the same marks, and how many of each class there are. */
export interface Pattern {
  /** Places of the marked attributes. */
  present: readonly number[];
  /** By class. */
  counts: readonly number[];
}

export interface Logistic {
  /** weights[class][attribute]; the last is the constant. */
  weights: Float64Array[];
  /** Steps taken until the slope was flat, or the most there may be. */
  steps: number;
}

/**
 * Multinomial logistic regression with a penalty of half the squared weights (the constants go free), as the usual
 * libraries do by default (C = 1). Full batch, convex and without chance: the same forms always give the same classifier.
 */
export function fitLogistic(patterns: readonly Pattern[], attributes: number, classes: number): Logistic {
  const n = patterns.reduce((sum, { counts }) => sum + counts.reduce((a, b) => a + b, 0), 0);
  const width = attributes + 1;
  const { at, steps } = minimise(classes * width, (weights, slope) =>
    lossAt(weights, slope, patterns, attributes, classes, n),
  );
  return { weights: Array.from({ length: classes }, (_, c) => at.slice(c * width, (c + 1) * width)), steps };
}

/** The class with the highest score; of equal ones the first. */
export function predict({ weights }: Logistic, present: readonly number[]): number {
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  weights.forEach((row, c) => {
    const score = present.reduce((sum, at) => sum + (row[at] as number), row[row.length - 1] as number);
    if (score > highest) [best, highest] = [c, score];
  });
  return best;
}

/** Mean loss with its penalty; writes its slope. */
function lossAt(
  at: Float64Array,
  slope: Float64Array,
  patterns: readonly Pattern[],
  attributes: number,
  classes: number,
  n: number,
): number {
  const width = attributes + 1;
  let loss = 0;
  for (let i = 0; i < at.length; i++) {
    const weight = i % width === attributes ? 0 : (at[i] as number);
    slope[i] = weight / n;
    loss += (weight * weight) / (2 * n);
  }
  const chance = new Float64Array(classes);
  for (const { present, counts } of patterns) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < classes; c++) {
      let score = at[c * width + attributes] as number;
      for (const a of present) score += at[c * width + a] as number;
      chance[c] = score;
      highest = Math.max(highest, score);
    }
    let sum = 0;
    let total = 0;
    for (let c = 0; c < classes; c++) {
      const count = counts[c] as number;
      loss -= (count * ((chance[c] as number) - highest)) / n;
      chance[c] = Math.exp((chance[c] as number) - highest);
      sum += chance[c] as number;
      total += count;
    }
    loss += (total * Math.log(sum)) / n;
    for (let c = 0; c < classes; c++) {
      const pull = ((total * (chance[c] as number)) / sum - (counts[c] as number)) / n;
      slope[c * width + attributes] = (slope[c * width + attributes] as number) + pull;
      for (const a of present) slope[c * width + a] = (slope[c * width + a] as number) + pull;
    }
  }
  return loss;
}
