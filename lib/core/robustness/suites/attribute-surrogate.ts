import { type Share, wilson } from '@/lib/core/quality/interval';
import { fitLogistic, type Pattern, predict } from '@/lib/core/statistics';
import { type Estimate, noEstimate } from '../metrics/estimates';
import { createRng } from '../random';
import type { SuiteReport } from '../report/report';
import type { RowTable } from '../report/row-table';

/** Prediction for an image with known attributes. */
interface SurrogateRow {
  /** Ids of the present attributes. */
  attributes: readonly string[];
  /** Class index. */
  predicted: number;
  /** Used for testing only. */
  isHeldOut: boolean;
}

type Surrogate =
  | { agreement: null; reason: string }
  | {
      /** How often a linear classifier on the attributes agrees with the model. */
      agreement: Share;
      /** Agreement of the constant prediction of the most frequent class. */
      mostFrequent: Share;
      /** Number of training images; tested on held-out images, or on the same without a holdout. */
      learnt: number;
      isTriedOnOthers: boolean;
      /** By class and attribute; positive weights are evidence for the class. */
      weights: number[][];
    };

/** Fits a surrogate of the model on the attributes, which shows the attributes that explain its predictions. */
export function attributeSurrogate(
  rows: readonly SurrogateRow[],
  attributes: readonly string[],
  classes: number,
): Surrogate {
  const learnt = rows.filter(({ isHeldOut }) => !isHeldOut);
  const others = rows.filter(({ isHeldOut }) => isHeldOut);
  if (attributes.length === 0) return { agreement: null, reason: 'The schema has no attributes.' };
  if (new Set(learnt.map(({ predicted }) => predicted)).size < 2)
    return { agreement: null, reason: 'The model predicts a single class.' };
  const tried = others.length > 0 ? others : learnt;
  const placesOf = ({ attributes: there }: SurrogateRow) =>
    attributes.flatMap((attribute, at) => (there.includes(attribute) ? [at] : []));
  const fitted = fitLogistic(patternsOf(learnt, placesOf, classes), attributes.length, classes);
  const frequent = mostFrequent(learnt, classes);
  const share = (isSame: (row: SurrogateRow) => boolean) =>
    wilson(tried.filter(isSame).length, tried.length) as Share;
  return {
    agreement: share((row) => predict(fitted, placesOf(row)) === row.predicted),
    mostFrequent: share((row) => row.predicted === frequent),
    learnt: learnt.length,
    isTriedOnOthers: others.length > 0,
    weights: fitted.weights.map((row) => Array.from(row.subarray(0, attributes.length))),
  };
}

function patternsOf(
  rows: readonly SurrogateRow[],
  placesOf: (row: SurrogateRow) => number[],
  classes: number,
): Pattern[] {
  const byKey = new Map<string, { present: number[]; counts: number[] }>();
  for (const row of rows) {
    const present = placesOf(row);
    const key = present.join(',');
    const pattern = byKey.get(key) ?? { present, counts: new Array<number>(classes).fill(0) };
    byKey.set(key, pattern);
    pattern.counts[row.predicted] = (pattern.counts[row.predicted] as number) + 1;
  }
  return [...byKey.values()];
}

function mostFrequent(rows: readonly SurrogateRow[], classes: number): number {
  const counts = new Array<number>(classes).fill(0);
  for (const { predicted } of rows) counts[predicted] = (counts[predicted] as number) + 1;
  return counts.indexOf(Math.max(...counts));
}

/** Every image is tried once, by a classifier that learnt from the other four fifths. */
const FOLDS = 5;

/** Agreement of a linear classifier on the attributes with the model and with the true classes. */
export function attributeSurrogateReport(
  table: RowTable,
  attributes: readonly string[],
  seed: number,
): SuiteReport {
  const answers = table.subjects.flatMap(({ id, attributes: own, classIndex }) => {
    const row = table.one('identity', id);
    if (!own || !row) return [];
    const fold = createRng(`tessera|${seed}|surrogate|${id}`).below(FOLDS);
    return [{ attributes: own, predicted: row.predicted, truth: classIndex, fold }];
  });
  const rows = answers.map((each) => ({ ...each, isHeldOut: false }));
  const whole = attributeSurrogate(rows, attributes, table.classes.length);
  if (whole.agreement === null)
    return {
      findings: [],
      lines: [],
      plots: [],
      skipped: [],
      notes: [`It is unknown how much of the model's predictions attributes explain. ${whole.reason}`],
    };
  const of = table.subjects.length;
  const model = crossed(rows, attributes, table.classes.length);
  const truth = crossed(
    rows.map((row) => ({ ...row, predicted: row.truth })),
    attributes,
    table.classes.length,
  );
  const spoken = new Set(answers.map(({ predicted }) => predicted));
  const heat = table.classes.flatMap((name, at) =>
    spoken.has(at) ? [{ name, weights: whole.weights[at] as number[] }] : [],
  );
  // One that no image has says nothing, and makes the others too small to read.
  const seen = attributes.flatMap((attribute, at) =>
    answers.some((each) => each.attributes.includes(attribute)) ? [{ attribute, at }] : [],
  );
  return {
    findings: [
      {
        ...estimateOf(model?.agreement, of),
        id: 'attribute-surrogate',
        name: 'What attributes explain of the model',
        says: `How often a linear classifier that sees the attributes only says what the model says, on images it did not learn from. Always saying the model’s most frequent class reaches ${percent(model?.frequent)}.`,
        unit: 'share',
      },
      {
        ...estimateOf(truth?.agreement, of),
        id: 'attribute-classifier',
        name: 'Classes identified by attributes alone',
        says: `The same with the true classes. Always saying the most frequent class reaches ${percent(truth?.frequent)}.`,
        unit: 'share',
      },
    ],
    lines: [],
    plots: [
      {
        id: 'surrogate-weights',
        title: 'Attributes that speak for a class to the model',
        says: `Weights of the linear classifier that was fitted to what the model said of ${whole.learnt} images. Above 0 the attribute speaks for the class.`,
        kind: 'heat',
        rows: heat.map(({ name }) => name),
        columns: seen.map(({ attribute }) => attribute),
        unit: 'number',
        isDiverging: true,
        values: heat.map(({ weights }) => seen.map(({ at }) => weights[at] as number)),
        filters: heat.map(({ name }) => seen.map(({ attribute }) => ({ predicted: name, attribute }))),
      },
    ],
    skipped: [],
    notes: [],
  };
}

interface Crossed {
  agreement: Share;
  frequent: Share;
}

/** Of fifths in which a classifier can be fitted to the rest. */
function crossed(
  rows: readonly (SurrogateRow & { fold: number })[],
  attributes: readonly string[],
  classes: number,
): Crossed | null {
  let [same, frequent, n] = [0, 0, 0];
  for (let fold = 0; fold < FOLDS; fold++) {
    if (!rows.some((row) => row.fold === fold)) continue;
    const found = attributeSurrogate(
      rows.map((row) => ({ ...row, isHeldOut: row.fold === fold })),
      attributes,
      classes,
    );
    if (found.agreement === null || !found.isTriedOnOthers) continue;
    same += Math.round(found.agreement.value * found.agreement.n);
    frequent += Math.round(found.mostFrequent.value * found.mostFrequent.n);
    n += found.agreement.n;
  }
  const [agreement, most] = [wilson(same, n), wilson(frequent, n)];
  return agreement && most ? { agreement, frequent: most } : null;
}

const estimateOf = (share: Share | undefined, of: number): Estimate =>
  share ? { value: share.value, low: share.low, high: share.high, n: share.n, of } : noEstimate(of);

const percent = (share: Share | undefined): string =>
  share ? `${(100 * share.value).toFixed(0)} %` : 'no figure';
