import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trustOf } from '@/lib/core/quality/trust';
import { check, checks, iouChecks } from './histories';

describe('how far a worker can be trusted', () => {
  it('is wide open before the first check', () => {
    const { all, byTarget } = trustOf([]);
    expect(all).toMatchObject({ n: 0, precision: null, recall: null, iou: null });
    expect(all.passRate).toMatchObject({ value: 0.5, n: 0 });
    expect(all.passRate.low).toBeCloseTo(0.025, 6);
    expect(byTarget).toEqual({});
  });

  it('is told by precision and recall in all and by attribute', () => {
    const score = (given: Record<string, number>) => check(0, { score: given });
    const { all, byTarget } = trustOf([
      score({
        truePositives: 2,
        falsePositives: 1,
        falseNegatives: 0,
        'right:ears': 1,
        'right:tail': 1,
        'wrong:wet': 1,
      }),
      score({ truePositives: 1, falsePositives: 0, falseNegatives: 1, 'missed:ears': 1, 'right:tail': 1 }),
    ]);
    expect(all.precision).toMatchObject({ value: 0.75, n: 4 });
    expect(all.recall).toMatchObject({ value: 0.75, n: 4 });
    expect(byTarget.ears).toMatchObject({
      n: 2,
      precision: { value: 1, n: 1 },
      recall: { value: 0.5, n: 2 },
    });
    expect(byTarget.tail).toMatchObject({ n: 2, recall: { value: 1, n: 2 } });
    expect(byTarget.wet).toMatchObject({ n: 1, precision: { value: 0, n: 1 }, recall: null });
  });

  it('is told by mean IoU in all and by part', () => {
    const [ear, tail, other] = iouChecks([0.8, 0.6, 0.4]);
    if (!ear || !tail || !other) throw new Error('three checks were made');
    const { all, byTarget } = trustOf([
      { ...ear, target: 'ears' },
      { ...tail, target: 'tail' },
      { ...other, target: 'tail' },
    ]);
    expect(all.iou?.value).toBeCloseTo(0.6, 12);
    expect(all.iou?.low).toBeGreaterThanOrEqual(0);
    expect(byTarget.tail?.iou).toMatchObject({ n: 2 });
    expect(byTarget.tail?.iou?.value).toBeCloseTo(0.5, 12);
    expect(byTarget.ears?.passRate.value).toBeCloseTo(2 / 3, 12);
  });

  it('grows with every pass and shrinks with every failure', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('+', '-'), { maxLength: 30 }), (list) => {
        const rate = (outcomes: string) => trustOf(checks(outcomes)).all.passRate;
        const now = rate(list.join(''));
        expect(rate(`${list.join('')}+`).value).toBeGreaterThan(now.value);
        expect(rate(`${list.join('')}-`).value).toBeLessThan(now.value);
        expect(now.low).toBeLessThan(now.value);
        expect(now.high).toBeGreaterThan(now.value);
      }),
    );
  });
});
