import { describe, expect, it } from 'vitest';
import type { JobSpec } from '@/lib/core/training-spec';
import { changedSettings, recipeOf } from '@/lib/services/training/report/changed-settings';
import { labelCurves } from '@/lib/services/training/report/compare-runs';
import {
  curvesOf,
  listReportedTests,
  strongestTest,
  testsOf,
  thin,
} from '@/lib/services/training/report/curves-of';
import { estimateTime, usualRates } from '@/lib/services/training/report/estimate-time';
import { previewColour } from '@/lib/services/training/report/preview-sheet';
import { seedMean, tableOne } from '@/lib/services/training/report/table-one';
import { progressOf } from '@/lib/services/training/runs/follow-events';
import { NewRun, specOf } from '@/lib/services/training/runs/start-run';

const specFor = (given: Partial<NewRun>, seed = 0, id = 'run'): JobSpec =>
  specOf(NewRun.parse({ version: '1', ...given }), seed, id);

const accuracy = (correct: number, n: number) => ({
  n,
  correct,
  accuracy: correct / n,
  low: correct / n - 0.1,
  high: correct / n + 0.1,
});

const verdict = (clean: number, pgd: number) => ({
  state: 'succeeded',
  metrics: {
    tests: [
      { attack: 'none', ...accuracy(clean, 10), perClass: [accuracy(clean, 10)] },
      { attack: 'pgd', eps: 0.03, ...accuracy(pgd, 10), images: { a: null } },
    ],
  },
});

const run = (id: string, spec: JobSpec, result: unknown, toldApart: 'class' | 'superclass' = 'class') => ({
  id,
  name: id,
  version: 1,
  spec,
  result,
  toldApart,
});

describe('the comparison of runs', () => {
  it('puts runs that differ in nothing but their seed into one row', () => {
    const rows = tableOne([
      run('a', specFor({}, 0, 'a'), verdict(8, 2)),
      run('b', specFor({}, 1, 'b'), verdict(6, 4)),
      run('c', specFor({ set: { 'train.cSeg': 0.3 } }, 2, 'c'), verdict(9, 1)),
      run('d', specFor({ arch: 'baseline' }, 0, 'd'), verdict(5, 0)),
      run('a again', specFor({}, 0, 'again'), verdict(8, 2)),
      run('unfinished', specFor({}, 3), null),
    ]);
    expect(rows.map(({ arch, runs }) => [arch, runs.length])).toEqual([
      ['baseline', 1],
      ['downsampled', 1],
      ['downsampled', 2],
    ]);
    const study = rows[2];
    expect(study?.clean?.value).toBeCloseTo(0.7);
    expect(study?.clean?.seeds).toBe(2);
    expect(study?.autoattack).toBeNull();
    expect(study?.perClass.clean).toEqual([{ n: 20, correct: 14 }]);
    expect(rows[1]?.changed).toEqual({ 'train.cSeg': '0.3' });
  });

  it('draws accuracy by the number and the kind of labels, of recipes that are otherwise alike', () => {
    const labelled = (id: string, fraction: number, labels: string, seed: number, right: number) => ({
      ...run(
        id,
        specFor({ set: { 'data.labelledFraction': fraction, 'data.labels': labels } }, seed, id),
        verdict(right, right - 1),
      ),
      versionId: 'v1',
    });
    const [curves, ...others] = labelCurves([
      labelled('a', 1, 'mask', 0, 8),
      labelled('b', 1, 'mask', 1, 6),
      labelled('c', 0.1, 'mask', 0, 4),
      labelled('d', 1, 'box', 0, 5),
      labelled('again', 1, 'mask', 0, 8),
      // Of this one there is one amount only: no curve.
      { ...run('e', specFor({ arch: 'baseline' }, 0, 'e'), verdict(5, 0)), versionId: 'v1' },
      { ...run('unfinished', specFor({}, 3), null), versionId: 'v1' },
    ]);
    expect(others).toEqual([]);
    expect(curves).toMatchObject({ version: 1, versionId: 'v1', arch: 'downsampled', method: 'normal' });
    const told = curves?.kinds.map(({ labels, points }) => [
      labels,
      points.map(({ fraction, clean, adversarial, runs }) => [
        fraction,
        clean?.value,
        adversarial?.value,
        runs.map(({ seed }) => seed),
      ]),
    ]);
    expect(told).toEqual([
      [
        'mask',
        [
          [0.1, 0.4, 0.3, [0]],
          [1, 0.7, 0.6, [0, 1]],
        ],
      ],
      ['box', [[1, 0.5, 0.4, [0]]]],
    ]);
  });

  it('took runs of super-classes for those of classes with another seed', () => {
    const rows = tableOne([
      run('a', specFor({}, 0, 'a'), verdict(8, 2)),
      run('b', specFor({}, 1, 'b'), verdict(10, 9), 'superclass'),
    ]);
    expect(rows.map(({ changed, runs }) => [changed, runs.map(({ id }) => id)])).toEqual([
      [{}, ['a']],
      [{ classes: 'super-classes' }, ['b']],
    ]);
  });

  it("has Student's interval over seeds and the test's own of a single run", () => {
    // Mean 0.5, spread 0.1, t of 2 degrees of freedom 4.3027: ± 4.3027 · 0.1 / √3.
    const three = seedMean([accuracy(4, 10), accuracy(5, 10), accuracy(6, 10)]);
    expect(three?.low).toBeCloseTo(0.5 - 0.24842, 4);
    expect(three?.high).toBeCloseTo(0.5 + 0.24842, 4);
    expect(seedMean([accuracy(5, 10)])).toMatchObject({ low: 0.4, high: 0.6, seeds: 1, n: 10 });
    expect(seedMean([accuracy(5, 10), accuracy(5, 10)])).toMatchObject({ low: 0.4, high: 0.6, seeds: 2 });
    expect(seedMean([undefined])).toBeNull();
  });

  it('tells AutoAttack as the adversarial accuracy where it ran, else the attack that leaves the least', () => {
    const tests = testsOf(verdict(8, 2));
    expect(strongestTest(tests)?.attack).toBe('pgd');
    const both = [...tests, { ...(tests[1] as (typeof tests)[number]), attack: 'autoattack', accuracy: 0.9 }];
    expect(strongestTest(both)?.attack).toBe('autoattack');
    expect(testsOf({ metrics: null })).toEqual([]);
  });

  it('knows what was changed of a preset, whatever the architecture and the method', () => {
    for (const arch of ['baseline', 'downsampled', 'pixel'] as const)
      for (const method of ['normal', 'pgd', 'trades'] as const)
        expect(changedSettings(specFor({ arch, method }, 7))).toEqual({});
    const changed = { 'stages.0.epochs': 1, 'test.1.sample': 8 };
    expect(changedSettings(specFor({ set: changed }))).toEqual({
      'stages.0.epochs': '1',
      'test.1.sample': '8',
    });
    expect(recipeOf(specFor({}, 1, 'a'))).toBe(recipeOf(specFor({}, 2, 'b')));
  });
});

describe('the estimate of time', () => {
  const images = { train: 600, val: 100, test: 100 };
  const rates = { clean: 100, adversarial: 10 };

  it('is images × epochs ÷ rate for the training', () => {
    const normal = specFor({ set: { 'stages.0.epochs': 20 } });
    expect(estimateTime(normal, images, rates).training).toBeCloseTo((600 * 20) / 100);
    const pgd = specFor({ method: 'pgd', set: { 'stages.0.epochs': 20, 'stages.1.epochs': 5 } });
    expect(estimateTime(pgd, images, rates).training).toBeCloseTo((600 * 20) / 100 + (600 * 5) / 10);
  });

  it('grows with epochs, images, steps of the attack and the sample of a test', () => {
    const base = { method: 'pgd' as const };
    const seconds = (set: NewRun['set'], more = images) =>
      estimateTime(specFor({ ...base, set }), more, rates).seconds;
    expect(seconds({ 'stages.1.epochs': 30 })).toBeGreaterThan(seconds({}));
    expect(seconds({ 'stages.1.attack.steps': 20 })).toBeGreaterThan(seconds({}));
    expect(seconds({ 'test.1.sample': 8 })).toBeLessThan(seconds({}));
    expect(seconds({}, { ...images, train: 1200 })).toBeGreaterThan(seconds({}));
  });

  it('comes to the 38 days that the published PGD run takes on two cores, and scales with the pixels', () => {
    const paper = specFor({ preset: 'paper-downsampled', method: 'pgd', confirmed: true });
    const { training } = estimateTime(paper, { train: 19_276, val: 0, test: 0 }, usualRates(paper));
    expect(training / 86_400).toBeGreaterThan(38);
    expect(training / 86_400).toBeLessThan(48);
    const small = specFor({});
    const large = specFor({ set: { 'data.size': 128 } });
    expect(usualRates(large).clean).toBeCloseTo(usualRates(small).clean / 4);
  });
});

describe('what a run tells', () => {
  const event = (seq: number, document: Record<string, unknown>) => ({
    seq,
    kind: 'metrics',
    document,
    at: new Date(0),
  });

  it('becomes curves in which the later attempt at a step counts', () => {
    const curves = curvesOf([
      event(1, { split: 'train', stage: 0, epoch: 1, step: 3, loss: 2, accuracy: 0.1 }),
      event(2, { split: 'train', stage: 0, epoch: 2, step: 6, loss: 9, accuracy: 0.9 }),
      event(3, { split: 'train', stage: 0, epoch: 2, step: 6, loss: 1, accuracy: 0.2 }),
      event(4, { split: 'val', stage: 0, epoch: 2, step: 6, clean: { ...accuracy(3, 10), loss: 1.5 } }),
      event(5, { split: 'train', stage: 1, epoch: 1, step: 9, loss: 3, accuracy: 0.3 }),
      event(6, { split: 'train', stage: 1, epoch: 2, step: 12, loss: null, accuracy: null }),
    ]);
    expect(curves.loss.train).toEqual([
      { x: 3, y: 2 },
      { x: 6, y: 1 },
      { x: 9, y: 3 },
    ]);
    expect(curves.loss.validation).toEqual([{ x: 6, y: 1.5 }]);
    expect(curves.accuracy.clean).toMatchObject([{ x: 6, y: 0.3 }]);
    expect(curves.accuracy.adversarial).toEqual([]);
    expect(curves.stageStarts).toEqual([{ stage: 1, step: 9 }]);
  });

  it('is thinned to what can be drawn without moving its mean', () => {
    const points = Array.from({ length: 1000 }, (_, x) => ({ x, y: x % 7 }));
    const few = thin(points, 100);
    expect(few).toHaveLength(100);
    const mean = (of: typeof points) => of.reduce((sum, { y }) => sum + y, 0) / of.length;
    expect(mean(few)).toBeCloseTo(mean(points));
    expect(thin(points.slice(0, 5))).toEqual(points.slice(0, 5));
  });

  it('shows tests that are over while others go on', () => {
    const told = listReportedTests([
      event(1, { split: 'test', test: 0, attack: 'none', ...accuracy(1, 10) }),
      event(2, { split: 'test', test: 0, attack: 'none', ...accuracy(7, 10) }),
    ]);
    expect(told.map(({ correct }) => correct)).toEqual([7]);
  });

  it('counts epochs over all stages: progress did not move in the second stage', () => {
    const spec = specFor({ method: 'pgd', set: { 'stages.0.epochs': 4, 'stages.1.epochs': 6 } });
    const at = (fields: Record<string, unknown>) =>
      progressOf({ seq: 1, t: 0, attempt: 1, kind: 'metrics', ...fields }, spec);
    expect(at({ split: 'train', stage: 0, epoch: 2 })).toMatchObject({ done: 2, total: 10 });
    expect(at({ split: 'step', stage: 1, epoch: 1 })).toMatchObject({ done: 4, text: 'Training, pgd' });
    expect(at({ split: 'train', stage: 1, epoch: 6 })).toMatchObject({ done: 10 });
    expect(at({ split: 'test', test: 0 })).toMatchObject({ done: 10, text: 'Testing' });
  });
});

it('a setting of one run stayed in the preset for the next one', () => {
  const before = specFor({ method: 'pgd' });
  specFor({ method: 'pgd', set: { 'test.1.sample': 3, 'stages.1.attack.steps': 1 } });
  expect(specFor({ method: 'pgd' })).toEqual(before);
});

it('paints no two of forty parts in the same colour, and no background', () => {
  const colours = Array.from({ length: 40 }, (_, at) => previewColour(at + 1)?.join());
  expect(new Set(colours).size).toBe(40);
  expect(previewColour(0)).toBeNull();
});
