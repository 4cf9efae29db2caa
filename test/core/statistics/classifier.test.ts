import { describe, expect, it } from 'vitest';
import { summarizeDataset } from '@/lib/core/statistics';
import { fitLogistic, type Pattern, predict } from '@/lib/core/statistics/logistic';
import known from '../../fixtures/logistic.json';
import { datasetOf, picture, schema } from './farm';

const attributes = ['a', 'b', 'c', 'd', 'never'];
const classes = ['0', '1', '2'];
const wide = {
  ...schema,
  classes: classes.map((id) => ({ id, name: id })),
  attributeGroups: [],
  attributes: attributes.map((id) => ({ id, name: id, kind: 'label-only' as const, definition: id })),
  parts: [],
};
const marksOf = (row: number) => attributes.filter((_, at) => known.marks[row]?.[at] === 1);
const forms = (split: (row: number) => string) =>
  known.classes.map((c, row) =>
    picture(`form-${row}`, String(c), { marks: marksOf(row), split: split(row) }),
  );

describe('the classifier on attributes', () => {
  it('finds the weights that scipy finds', () => {
    const patterns = known.classes.map(
      (truth, row): Pattern => ({
        present: known.marks[row]?.flatMap((mark, at) => (mark ? [at] : [])) ?? [],
        counts: classes.map((_, c) => Number(c === truth)),
      }),
    );
    const model = fitLogistic(patterns, 5, 3);
    known.weights.forEach((row, c) => {
      row.forEach((weight, at) => {
        expect(model.weights[c]?.[at]).toBeCloseTo(weight, 4);
      });
    });
    const right = patterns.filter(({ present, counts }) => counts[predict(model, present)] === 1).length;
    expect(right).toBe(known.right);
  });

  it('agrees with numpy about the correlations', async () => {
    const { attributePairs } = await summarizeDataset(
      datasetOf(
        forms(() => 'train'),
        ['train'],
        wide,
      ),
    );
    known.phi.forEach((row, a) => {
      row.forEach((phi, b) => {
        expect(attributePairs[0]?.correlation[a]?.[b]?.value).toBeCloseTo(phi, 5);
      });
    });
    expect(attributePairs[0]?.correlation[0]?.[4]).toMatchObject({ value: null });
  });

  it('learns from train and is tried on test, with an interval and its mistakes', async () => {
    const split = (row: number) => (row % 3 === 0 ? 'test' : 'train');
    const run = async () =>
      (await summarizeDataset(datasetOf(forms(split), ['train', 'test'], wide))).classifier;
    const found = await run();
    expect(found).toMatchObject({ trainedOn: 'train', triedOn: 'test', trained: 80, accuracy: { n: 40 } });
    if (found.accuracy === null) throw new Error(found.reason);
    expect(found.accuracy.value).toBeGreaterThan(found.mostFrequent.value);
    expect(found.accuracy.low).toBeLessThan(found.accuracy.value);
    const mistakes = found.confusions.reduce((sum, { count }) => sum + count, 0);
    expect(mistakes).toBe(40 - Math.round(found.accuracy.value * 40));
    expect(await run()).toEqual(found);
  });

  it('draws a fifth by name where the version is not split', async () => {
    const { classifier } = await summarizeDataset(
      datasetOf(
        forms(() => 'all'),
        ['all'],
        wide,
      ),
    );
    expect(classifier).toMatchObject({ triedOn: 'the other fifth' });
    if (classifier.accuracy === null) throw new Error(classifier.reason);
    expect(classifier.trained + classifier.accuracy.n).toBe(120);
    expect(classifier.accuracy.n).toBeGreaterThan(10);
    expect(classifier.accuracy.n).toBeLessThan(40);
  });

  it('is perfect when one attribute is the class', async () => {
    const sure = known.classes.map((c, row) =>
      picture(`form-${row}`, String(c), {
        marks: [attributes[c] as string],
        split: row < 80 ? 'train' : 'val',
      }),
    );
    const { classifier } = await summarizeDataset(datasetOf(sure, ['train', 'val'], wide));
    expect(classifier).toMatchObject({
      triedOn: 'val',
      accuracy: { value: 1, n: 40, high: 1 },
      confusions: [],
    });
  });
});
