import { type Share, wilson } from '@/lib/core/quality/interval';
import type { AttributeTable } from './attribute-pairs';
import { fitLogistic, type Pattern, predict } from './logistic';

/** How well the attributes alone tell the class; the RIVAL10 paper reports 93.3 % for its own. */
export type Classifier =
  | { readonly accuracy: null; readonly reason: string }
  | {
      readonly accuracy: Share;
      /** Which forms it learnt from and was tried on. */
      readonly trainedOn: string;
      readonly triedOn: string;
      readonly trained: number;
      /** What always saying the most frequent class would get. */
      readonly mostFrequent: Share;
      /** Mistakes, the most frequent first. */
      readonly confusions: readonly { truth: string; said: string; count: number }[];
      readonly byClass: readonly { className: string; right: number; n: number }[];
    };

const SHOWN = 20;

interface Sides {
  trainedOn: string;
  triedOn: string;
  isTrained(row: number): boolean;
  isTried(row: number): boolean;
}

/** Trains on "train" and tests on "test" (else "val"); versions without these splits use a random 80/20 split. */
export function classifyByAttributes(
  table: AttributeTable,
  classes: readonly string[],
  splits: readonly string[],
): Classifier {
  if (table.attributes === 0) return { accuracy: null, reason: 'The schema has no attributes.' };
  const sides = chooseSplit(table, splits);
  const trained = patternsOf(table, classes.length, sides.isTrained);
  const tried = patternsOf(table, classes.length, sides.isTried);
  const known = new Set(trained.flatMap(({ counts }) => placesOf(counts)));
  if (known.size < 2)
    return { accuracy: null, reason: 'Answered forms of at least two classes are needed to learn from.' };
  if (tried.length === 0)
    return { accuracy: null, reason: 'No form with a class is left to try the classifier on.' };
  const model = fitLogistic(trained, table.attributes, classes.length);
  const outcome = evaluateClassifier(tried, classes, ({ present }) => predict(model, present));
  const frequent = mostFrequent(trained, classes.length);
  return {
    ...outcome,
    trainedOn: sides.trainedOn,
    triedOn: sides.triedOn,
    trained: trained.reduce((sum, { counts }) => sum + total(counts), 0),
    mostFrequent: evaluateClassifier(tried, classes, () => frequent).accuracy,
  };
}

function chooseSplit(table: AttributeTable, splits: readonly string[]): Sides {
  const usable = (split: string) => {
    const at = splits.indexOf(split);
    for (let row = 0; at >= 0 && row < table.rows; row++)
      if (table.splitAt(row) === at && table.classAt(row) >= 0) return true;
    return false;
  };
  const triedOn = ['test', 'val'].find(usable);
  if (triedOn && usable('train')) {
    const isIn = (split: string) => (row: number) => table.splitAt(row) === splits.indexOf(split);
    return { trainedOn: 'train', triedOn, isTrained: isIn('train'), isTried: isIn(triedOn) };
  }
  return {
    trainedOn: 'four fifths of the images, drawn by their names',
    triedOn: 'the other fifth',
    isTrained: (row) => !table.isHeldOut(row),
    isTried: table.isHeldOut,
  };
}

function patternsOf(table: AttributeTable, classes: number, isIn: (row: number) => boolean): Pattern[] {
  const byKey = new Map<string, { present: number[]; counts: number[] }>();
  for (let row = 0; row < table.rows; row++) {
    const at = table.classAt(row);
    if (at < 0 || !isIn(row)) continue;
    const key = table.key(row);
    const pattern = byKey.get(key) ?? { present: table.present(row), counts: new Array(classes).fill(0) };
    byKey.set(key, pattern);
    pattern.counts[at] = (pattern.counts[at] as number) + 1;
  }
  return [...byKey.values()];
}

function evaluateClassifier(
  tried: readonly Pattern[],
  classes: readonly string[],
  say: (pattern: Pattern) => number,
) {
  const confusions = new Map<number, number>();
  const byClass = classes.map((className) => ({ className, right: 0, n: 0 }));
  for (const pattern of tried) {
    const said = say(pattern);
    for (const truth of placesOf(pattern.counts)) {
      const count = pattern.counts[truth] as number;
      const row = byClass[truth] as (typeof byClass)[number];
      row.n += count;
      if (said === truth) row.right += count;
      else {
        const key = truth * classes.length + said;
        confusions.set(key, (confusions.get(key) ?? 0) + count);
      }
    }
  }
  const sum = (of: 'right' | 'n') => byClass.reduce((all, row) => all + row[of], 0);
  return {
    accuracy: wilson(sum('right'), sum('n')) as Share,
    byClass: byClass.filter(({ n }) => n > 0),
    confusions: [...confusions]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, SHOWN)
      .map(([key, count]) => ({
        truth: classes[Math.floor(key / classes.length)] as string,
        said: classes[key % classes.length] as string,
        count,
      })),
  };
}

const total = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
const placesOf = (counts: readonly number[]) => counts.flatMap((count, at) => (count > 0 ? [at] : []));

function mostFrequent(patterns: readonly Pattern[], classes: number): number {
  const counts = Array.from({ length: classes }, (_, c) =>
    patterns.reduce((sum, pattern) => sum + (pattern.counts[c] as number), 0),
  );
  return counts.indexOf(Math.max(...counts));
}
