import { groupBy } from '@/lib/core/quality/group-by';
import type { Reply, SeenItem } from './visitor';

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
  /** The features that tell most on their own, with their AUC (below 0.5: lower for checks). */
  strongest: { feature: string; auc: number }[];
}

const FOLDS = 5;
const RIDGE = 0.05;
const RESAMPLES = 400;
const STRONGEST = 5;

/**
 * The area under the ROC curve of a cross-validated linear discriminant, within batches: how well it ranks the checks
 * of a batch above its other items. It learns from differences within batches as well. Folds never share a group.
 *
 * The 95% interval takes the larger of two spreads: that of a bootstrap over batches, and that of the same procedure
 * with the labels shuffled within each batch. The bootstrap alone is too narrow, because the folds train on each
 * other's cases.
 */
export function crossValidatedAuc(cases: readonly Case[], random: () => number): Auc {
  const folds = foldsOf(cases);
  const batches = [...groupBy([...cases.keys()], (n) => (cases[n] as Case).stratum).values()];
  const labels = cases.map(({ isPositive }) => isPositive);
  const strata = pairsPerBatch(batches, labels, scoresOf(folds, labels));
  const auc = pooled(strata);
  const bootstrap = Array.from({ length: RESAMPLES }, () =>
    pooled(strata.map(() => strata[Math.floor(random() * strata.length)] as Pairs)),
  );
  const shuffled = Array.from({ length: RESAMPLES }, () => {
    const mixed = shuffledWithin(batches, labels, random);
    return pooled(pairsPerBatch(batches, mixed, scoresOf(folds, mixed)));
  });
  const margin = 1.96 * Math.max(spreadOf(bootstrap), spreadOf(shuffled));
  return {
    auc,
    low: Math.max(0, auc - margin),
    high: Math.min(1, auc + margin),
    positives: labels.filter(Boolean).length,
    cases: cases.length,
    strongest: strongestFeatures(cases, batches, labels),
  };
}

function strongestFeatures(
  cases: readonly Case[],
  batches: readonly number[][],
  labels: readonly boolean[],
): Auc['strongest'] {
  return namesOf(cases)
    .map((feature) => {
      const values = Float64Array.from(cases, ({ features }) => features[feature] ?? 0);
      return { feature, auc: pooled(pairsPerBatch(batches, labels, values)) };
    })
    .sort((a, b) => Math.abs(b.auc - 0.5) - Math.abs(a.auc - 0.5))
    .slice(0, STRONGEST);
}

const namesOf = (cases: readonly Case[]) => [
  ...new Set(cases.flatMap(({ features }) => Object.keys(features))),
];

/** Pairs of a check and another item of the same batch, and how many the score ranks rightly. */
interface Pairs {
  right: number;
  all: number;
}

const pairsPerBatch = (
  batches: readonly number[][],
  labels: readonly boolean[],
  scores: Float64Array,
): Pairs[] => batches.map((rows) => pairsOf(rows, labels, scores));

function pairsOf(rows: readonly number[], labels: readonly boolean[], scores: Float64Array): Pairs {
  let [right, all] = [0, 0];
  for (const positive of rows.filter((n) => labels[n]))
    for (const negative of rows.filter((n) => !labels[n])) {
      const difference = (scores[positive] as number) - (scores[negative] as number);
      all += 1;
      right += difference > 0 ? 1 : difference === 0 ? 0.5 : 0;
    }
  return { right, all };
}

function pooled(strata: readonly Pairs[]): number {
  const all = strata.reduce((sum, pairs) => sum + pairs.all, 0);
  return all === 0 ? 0.5 : strata.reduce((sum, { right }) => sum + right, 0) / all;
}

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

function shuffledWithin(
  batches: readonly number[][],
  labels: readonly boolean[],
  random: () => number,
): boolean[] {
  const mixed = [...labels];
  for (const rows of batches)
    for (let last = rows.length - 1; last > 0; last--) {
      const [a, b] = [rows[last] as number, rows[Math.floor(random() * (last + 1))] as number];
      [mixed[a], mixed[b]] = [mixed[b] as boolean, mixed[a] as boolean];
    }
  return mixed;
}

/** One fold: the cases that it tests, those that it learns from, and what depends on features alone. */
interface Fold {
  rows: readonly Float64Array[];
  test: number[];
  training: number[];
  inverse: Float64Array[];
}

function foldsOf(cases: readonly Case[]): Fold[] {
  const rows = standardized(cases);
  const groups = [...new Set(cases.map(({ group }) => group))];
  const foldOf = new Map(groups.map((group, n) => [group, n % FOLDS]));
  return Array.from({ length: Math.min(FOLDS, groups.length) }, (_, fold) => {
    const isTest = ({ group }: Case) => foldOf.get(group) === fold;
    const all = [...cases.keys()];
    const training = all.filter((n) => !isTest(cases[n] as Case));
    return {
      rows,
      test: all.filter((n) => isTest(cases[n] as Case)),
      training,
      inverse: inverseCovariance(training.map((n) => rows[n] as Float64Array)),
    };
  });
}

/** Scores every case with the discriminant of the folds that it is not part of. */
function scoresOf(folds: readonly Fold[], labels: readonly boolean[]): Float64Array {
  const scores = new Float64Array(labels.length);
  for (const { rows, test, training, inverse } of folds) {
    const positives = training.filter((n) => labels[n]).length;
    const difference = new Float64Array(inverse.length);
    for (const n of training) {
      const share = labels[n] ? 1 / Math.max(1, positives) : -1 / Math.max(1, training.length - positives);
      addScaled(difference, rows[n] as Float64Array, share);
    }
    const weights = Float64Array.from(inverse, (row) => dot(row, difference));
    for (const n of test) scores[n] = dot(rows[n] as Float64Array, weights);
  }
  return scores;
}

/**
 * Features as differences from the mean of their batch, in units of their spread. Differences between batches would
 * mislead the discriminant: the share of checks is public and falls with the experience of a worker, and whatever else
 * changes with experience would be taken for a sign of a check.
 */
function standardized(cases: readonly Case[]): Float64Array[] {
  const batches = [...groupBy([...cases.keys()], (n) => (cases[n] as Case).stratum).values()];
  const columns = namesOf(cases).map((name) => {
    const column = Float64Array.from(cases, ({ features }) => features[name] ?? 0);
    for (const rows of batches) {
      const mean = rows.reduce((sum, n) => sum + (column[n] as number), 0) / rows.length;
      for (const n of rows) column[n] = (column[n] as number) - mean;
    }
    const spread = spreadOf([...column]);
    return column.map((value) => (spread < 1e-9 ? 0 : Math.max(-4, Math.min(4, value / spread))));
  });
  return cases.map((_, n) => Float64Array.from(columns, (column) => column[n] as number));
}

/** The inverse of the covariance of the rows with a ridge, by Gauss-Jordan elimination: it is positive definite. */
function inverseCovariance(rows: readonly Float64Array[]): Float64Array[] {
  const size = rows[0]?.length ?? 0;
  const left = Array.from({ length: size }, () => new Float64Array(size));
  for (const row of rows)
    for (let i = 0; i < size; i++) addScaled(left[i] as Float64Array, row, (row[i] as number) / rows.length);
  const right = left.map((row, i) => {
    row[i] = (row[i] as number) + RIDGE;
    return Float64Array.from(row, (_, j) => Number(i === j));
  });
  for (let i = 0; i < size; i++) {
    const pivot = (left[i] as Float64Array)[i] as number;
    for (const side of [left, right]) side[i] = (side[i] as Float64Array).map((value) => value / pivot);
    for (let other = 0; other < size; other++) {
      if (other === i) continue;
      const factor = (left[other] as Float64Array)[i] as number;
      for (const side of [left, right])
        addScaled(side[other] as Float64Array, side[i] as Float64Array, -factor);
    }
  }
  return right;
}

function addScaled(to: Float64Array, row: Float64Array, factor: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] as number) + factor * (row[i] as number);
}

function dot(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += (row[i] as number) * (weights[i] as number);
  return sum;
}

/** Everything that a worker sees of one item on the way from the batch to the stored answer. */
export interface Observation {
  batch: string;
  item: SeenItem;
  siblings: readonly SeenItem[];
  image: Reply;
  draft: Reply;
  answer: Reply;
  isCheck: boolean;
}

const madeAt = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);
const share = (list: readonly unknown[], isIt: (value: never) => boolean) =>
  list.filter(isIt as (value: unknown) => boolean).length / Math.max(1, list.length);

/** Named numbers of an observation. Categories become one feature each. */
export function featuresOf({ item, siblings, image, draft, answer }: Observation): Record<string, number> {
  const at = siblings.findIndex(({ leaseId }) => leaseId === item.leaseId);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const sameImage = (other: SeenItem | undefined) =>
    other?.image.width === item.image.width &&
    other?.image.height === item.image.height &&
    other?.className === item.className;
  const moments = siblings.map(({ leaseId }) => madeAt(leaseId));
  const classShare = share(siblings, ((other: SeenItem) => other.className === item.className) as never);
  return {
    position: at / siblings.length,
    isFirst: Number(at === 0),
    isLast: Number(at === siblings.length - 1),
    classShare,
    isOnlyOfClass: Number(classShare * siblings.length === 1),
    classAsBefore: Number(before?.className === item.className),
    classAsAfter: Number(after?.className === item.className),
    imageAsBefore: Number(sameImage(before)),
    imageAsAfter: Number(sameImage(after)),
    targetsOfImage: siblings.filter(sameImage).length,
    neighbours: item.neighbours.length,
    hasNeighbours: Number(item.neighbours.length > 0),
    width: item.image.width,
    height: item.image.height,
    workingWidth: item.image.working.width,
    urlLength: item.image.working.url.length,
    hasDefinition: Number(item.target?.definition != null),
    hasOutline: Number(item.hasOutline),
    hasDraft: Number(item.draft !== null),
    leaseMoment: madeAt(item.leaseId) - Math.min(...moments),
    leaseTail: Number.parseInt(item.leaseId.slice(-6), 16) / 0xffffff,
    schemaTail: Number.parseInt(item.schemaVersionId.slice(-4), 16) / 0xffff,
    imageBytes: image.body.length,
    imageMs: image.ms,
    imageHeaders: [...image.headers.keys()].length,
    etagLength: (image.headers.get('etag') ?? '').length,
    hasLastModified: Number(image.headers.has('last-modified')),
    cacheLength: (image.headers.get('cache-control') ?? '').length,
    draftMs: draft.ms,
    draftStatus: draft.status,
    answerMs: answer.ms,
    answerBytes: answer.body.length,
    answerStatus: answer.status,
    [`class ${item.className}`]: 1,
    [`target ${item.target?.id}`]: 1,
    [`class before ${before?.className}`]: 1,
  };
}
