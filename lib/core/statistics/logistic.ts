/** Forms with the same marks, and how many of each class there are. */
export interface Pattern {
  /** Places of the marked attributes. */
  present: readonly number[];
  /** By class. */
  counts: readonly number[];
}

interface Logistic {
  /** weights[class][attribute]; the last is the constant. */
  weights: Float64Array[];
  /** Steps taken until the slope was flat, or the most there may be. */
  steps: number;
}

/**
 * Multinomial logistic regression with a penalty of half the squared weights (the constants go free), as the usual
 * libraries do by default (C = 1). Full batch, convex and deterministic.
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
  const scores = new Float64Array(classes);
  for (const { present, counts } of patterns) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < classes; c++) {
      let score = at[c * width + attributes] as number;
      for (const a of present) score += at[c * width + a] as number;
      scores[c] = score;
      highest = Math.max(highest, score);
    }
    let sum = 0;
    let total = 0;
    for (let c = 0; c < classes; c++) {
      const count = counts[c] as number;
      loss -= (count * ((scores[c] as number) - highest)) / n;
      scores[c] = Math.exp((scores[c] as number) - highest);
      sum += scores[c] as number;
      total += count;
    }
    loss += (total * Math.log(sum)) / n;
    for (let c = 0; c < classes; c++) {
      const pull = ((total * (scores[c] as number)) / sum - (counts[c] as number)) / n;
      slope[c * width + attributes] = (slope[c * width + attributes] as number) + pull;
      for (const a of present) slope[c * width + a] = (slope[c * width + a] as number) + pull;
    }
  }
  return loss;
}

/** Returns the value at a place and writes its slope. */
type Objective = (at: Float64Array, slope: Float64Array) => number;

const MAX_STEPS = 500;
const GRADIENT_TOLERANCE = 1e-8;
/** Pairs of steps and changes of slope that are remembered. */
const MEMORY = 10;
/** A step must win this share of what the slope promises (Armijo 1966). */
const ARMIJO = 1e-4;
const MIN_STEP = 1e-12;

interface Pair {
  step: Float64Array;
  change: Float64Array;
  along: number;
}

/** The lowest place of a smooth convex function, from zero on, by limited-memory BFGS (Nocedal 1980). */
function minimise(size: number, slopeAt: Objective): { at: Float64Array; steps: number } {
  let at = new Float64Array(size);
  let slope = new Float64Array(size);
  let value = slopeAt(at, slope);
  const pairs: Pair[] = [];
  let steps = 0;
  while (steps < MAX_STEPS && slope.some((g) => Math.abs(g) > GRADIENT_TOLERANCE)) {
    steps += 1;
    const direction = lbfgsDirection(slope, pairs);
    const promised = dot(direction, slope);
    const next = new Float64Array(size);
    const nextSlope = new Float64Array(size);
    let length = 1;
    let found = value;
    for (; length > MIN_STEP; length /= 2) {
      for (let i = 0; i < size; i++) next[i] = (at[i] as number) + length * (direction[i] as number);
      found = slopeAt(next, nextSlope);
      if (found <= value + ARMIJO * length * promised) break;
    }
    // What is left is smaller than a number can tell.
    if (length <= MIN_STEP) break;
    const step = next.map((x, i) => x - (at[i] as number));
    const change = nextSlope.map((g, i) => g - (slope[i] as number));
    const along = dot(step, change);
    if (along > 0) pairs.push({ step, change, along });
    if (pairs.length > MEMORY) pairs.shift();
    [at, slope, value] = [next, nextSlope, found];
  }
  return { at, steps };
}

/** The slope seen through the remembered curvature, turned round. */
function lbfgsDirection(slope: Float64Array, pairs: readonly Pair[]): Float64Array {
  const q = slope.map((g) => -g);
  const shares = new Array<number>(pairs.length);
  for (let k = pairs.length - 1; k >= 0; k--) {
    const { step, change, along } = pairs[k] as Pair;
    shares[k] = dot(step, q) / along;
    add(q, change, -(shares[k] as number));
  }
  const last = pairs.at(-1);
  const scale = last ? last.along / dot(last.change, last.change) : 1;
  for (let i = 0; i < q.length; i++) q[i] = (q[i] as number) * scale;
  pairs.forEach(({ step, change, along }, k) => {
    add(q, step, (shares[k] as number) - dot(change, q) / along);
  });
  return q;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function add(to: Float64Array, what: Float64Array, times: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] as number) + times * (what[i] as number);
}
