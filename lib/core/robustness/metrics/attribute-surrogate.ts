import { type Share, wilson } from '@/lib/core/quality/interval';
import { fitLogistic, type Pattern, predict } from '@/lib/core/statistics/logistic';

/** What a model said of an image whose attributes are known. */
export interface SurrogateRow {
  /** Ids of those that are there. */
  attributes: readonly string[];
  /** Class index. */
  predicted: number;
  /** Not learnt from, only tried on. */
  isHeldOut: boolean;
}

export type Surrogate =
  | { agreement: null; reason: string }
  | {
      /** How often a classifier that sees the attributes only says what the model says. */
      agreement: Share;
      /** What always saying the model's most frequent class would reach. */
      mostFrequent: Share;
      /** Images learnt from; tried on others, or on the same where none was held out. */
      learnt: number;
      isTriedOnOthers: boolean;
      /** By class and attribute: above 0 the attribute speaks for the class. */
      weights: number[][];
    };

/** Fits the attributes to a model's predictions instead of to the labels: which attributes explain what it does. */
export function attributeSurrogate(
  rows: readonly SurrogateRow[],
  attributes: readonly string[],
  classes: number,
): Surrogate {
  const learnt = rows.filter(({ isHeldOut }) => !isHeldOut);
  const others = rows.filter(({ isHeldOut }) => isHeldOut);
  if (attributes.length === 0) return { agreement: null, reason: 'The schema has no attributes.' };
  if (new Set(learnt.map(({ predicted }) => predicted)).size < 2)
    return { agreement: null, reason: 'The model says one class only: there is nothing to explain.' };
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
