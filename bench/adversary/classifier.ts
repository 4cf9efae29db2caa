/** One case: its named features, the batch it belongs to, and whether it is a check. */
export interface Case {
  features: Record<string, number>;
  group: string;
  stratum: string;
  isPositive: boolean;
}

export interface Auc {
  auc: number;
  low: number;
  high: number;
  positives: number;
  cases: number;
}

const FOLDS = 5;
const STEPS = 300;
const RATE = 0.3;
const RIDGE = 1e-3;
const BOOTSTRAPS = 400;

/**
 * The area under the ROC curve of a cross-validated logistic regression, within batches: how well it ranks the checks
 * of a batch above its other items. Folds never share a worker. The 95% interval is a bootstrap over batches.
 */
export function crossValidatedAuc(cases: readonly Case[], random: () => number): Auc {
  const { rows, size } = standardized(cases);
  const groups = [...new Set(cases.map(({ group }) => group))];
  const foldOf = new Map(groups.map((group, n) => [group, n % FOLDS]));
  const scores = new Float64Array(cases.length);
  for (let fold = 0; fold < FOLDS; fold++) {
    const isTest = cases.map(({ group }) => foldOf.get(group) === fold);
    const training = rows.filter((_, n) => !isTest[n]);
    const labels = cases.filter((_, n) => !isTest[n]).map(({ isPositive }) => Number(isPositive));
    const weights = train(training, labels, size);
    rows.forEach((row, n) => {
      if (isTest[n]) scores[n] = dot(row, weights);
    });
  }
  const strata = [...strataOf(cases, scores).values()];
  const auc = pooled(strata);
  const spread = Array.from({ length: BOOTSTRAPS }, () =>
    pooled(strata.map(() => strata[Math.floor(random() * strata.length)] as Pairs)),
  ).sort((a, b) => a - b);
  return {
    auc,
    low: spread[Math.floor(0.025 * BOOTSTRAPS)] ?? 0,
    high: spread[Math.floor(0.975 * BOOTSTRAPS)] ?? 1,
    positives: cases.filter(({ isPositive }) => isPositive).length,
    cases: cases.length,
  };
}

/** Pairs of a check and another item of the same batch, and how many the score ranks rightly. */
interface Pairs {
  right: number;
  all: number;
}

function strataOf(cases: readonly Case[], scores: Float64Array): Map<string, Pairs> {
  const lists = new Map<string, { score: number; isPositive: boolean }[]>();
  cases.forEach(({ stratum, isPositive }, n) => {
    const list = lists.get(stratum) ?? [];
    list.push({ score: scores[n] as number, isPositive });
    lists.set(stratum, list);
  });
  return new Map([...lists].map(([name, list]) => [name, pairsOf(list)]));
}

function pairsOf(list: readonly { score: number; isPositive: boolean }[]): Pairs {
  let [right, all] = [0, 0];
  for (const positive of list.filter(({ isPositive }) => isPositive))
    for (const negative of list.filter(({ isPositive }) => !isPositive)) {
      all += 1;
      right += positive.score > negative.score ? 1 : positive.score === negative.score ? 0.5 : 0;
    }
  return { right, all };
}

function pooled(strata: readonly Pairs[]): number {
  const all = strata.reduce((sum, pairs) => sum + pairs.all, 0);
  return all === 0 ? 0.5 : strata.reduce((sum, { right }) => sum + right, 0) / all;
}

function standardized(cases: readonly Case[]): { rows: Float64Array[]; size: number } {
  const names = [...new Set(cases.flatMap(({ features }) => Object.keys(features)))];
  const columns = names.map((name) => cases.map(({ features }) => features[name] ?? 0));
  const scaled = columns.map((column) => {
    const mean = column.reduce((a, b) => a + b, 0) / column.length;
    const spread = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length);
    return column.map((value) => (spread === 0 ? 0 : Math.max(-4, Math.min(4, (value - mean) / spread))));
  });
  const rows = cases.map((_, n) => Float64Array.from([1, ...scaled.map((column) => column[n] as number)]));
  return { rows, size: names.length + 1 };
}

/** Gradient descent on the class-balanced logistic loss with a small ridge penalty. */
function train(rows: readonly Float64Array[], labels: readonly number[], size: number): Float64Array {
  const weights = new Float64Array(size);
  const positives = Math.max(
    1,
    labels.reduce((a, b) => a + b, 0),
  );
  const balance = [0.5 / Math.max(1, labels.length - positives), 0.5 / positives];
  for (let step = 0; step < STEPS; step++) {
    const gradient = new Float64Array(size);
    rows.forEach((row, n) => {
      const label = labels[n] as number;
      const error = (1 / (1 + Math.exp(-dot(row, weights))) - label) * (balance[label] as number);
      for (let i = 0; i < size; i++) gradient[i] = (gradient[i] as number) + error * (row[i] as number);
    });
    for (let i = 0; i < size; i++)
      weights[i] = (weights[i] as number) - RATE * ((gradient[i] as number) + RIDGE * (weights[i] as number));
  }
  return weights;
}

function dot(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += (row[i] as number) * (weights[i] as number);
  return sum;
}
