import { describe, expect, it } from 'vitest';
import { emptyMask, rasterizeBox } from '@/lib/core/mask';
import { indexVotes, type Vote } from '@/lib/core/quality/aggregate';
import {
  type Estimate,
  gwetAc1,
  krippendorffAlpha,
  maskAgreement,
  rawAgreement,
} from '@/lib/core/quality/agreement';

/** A line per unit, a character per observer; a dot for no answer. */
const votesOf = (units: string[], classes: string[] = []) =>
  indexVotes(
    units.flatMap((unit, item) =>
      [...unit].flatMap((value, worker): Vote[] =>
        value === '.' ? [] : [{ item: `${item}`, worker: `${worker}`, value }],
      ),
    ),
    classes,
  );

/** Krippendorff's example of four observers and twelve units (2011, section C), also used by Gwet. */
const twelve = votesOf([
  ...['11.1', '2232', '3333', '3333', '2222', '1234'],
  ...['4444', '1121', '2222', '.555', '..11', '..3.'],
]);

const value = (estimate: Estimate) => estimate.value as number;

describe('the published example', () => {
  it('has the alpha that Krippendorff prints', () => {
    expect(value(krippendorffAlpha(twelve))).toBeCloseTo(0.743, 3);
  });

  it('has the AC1 that Gwet’s own programs print', () => {
    expect(value(gwetAc1(twelve))).toBeCloseTo(0.77544, 4);
  });

  it('has the raw agreement that Gwet’s own programs print', () => {
    expect(value(rawAgreement(twelve))).toBeCloseTo(0.81818, 4);
  });

  it('carries intervals that hold the value, from the number of units with two answers', () => {
    for (const estimate of [krippendorffAlpha(twelve), gwetAc1(twelve), rawAgreement(twelve)]) {
      if (estimate.value === null) throw new Error(estimate.reason);
      expect(estimate.n).toBe(11);
      expect(estimate.low).toBeLessThan(estimate.value);
      expect(estimate.high).toBeGreaterThan(estimate.value);
    }
  });
});

describe('a rare attribute on which nearly all agree', () => {
  const rare = votesOf([...Array(98).fill('000'), '001', '100'], ['0', '1']);

  it('makes alpha collapse and leaves AC1 high, which is why both are shown', () => {
    expect(value(krippendorffAlpha(rare))).toBeLessThan(0.1);
    expect(value(gwetAc1(rare))).toBeGreaterThan(0.97);
  });
});

describe('where a measure is undefined', () => {
  it('says that no item has two answers', () => {
    const single = votesOf(['1..', '.2.']);
    for (const measure of [krippendorffAlpha, gwetAc1, rawAgreement])
      expect(measure(single)).toMatchObject({ value: null, reason: 'No item has two answers.' });
  });

  it('says that everybody gave the same answer', () => {
    expect(krippendorffAlpha(votesOf(['11', '11'], ['1', '2']))).toMatchObject({ value: null, n: 2 });
    expect(value(gwetAc1(votesOf(['11', '11'], ['1', '2'])))).toBe(1);
  });

  it('has no votes at all', () => {
    expect(rawAgreement(votesOf([])).value).toBeNull();
  });
});

describe('masks', () => {
  const box = (x: number) => rasterizeBox([x, 0, 10, 10], 20, 40);

  it('are compared among those who drew; whether to draw is a question of its own', () => {
    const result = maskAgreement([
      { item: 'a', answers: [box(0), box(0), null] },
      { item: 'b', answers: [box(0), box(5)] },
      { item: 'c', answers: [null, null] },
    ]);
    expect(value(result.iou)).toBeCloseTo((1 + 1 / 3) / 2, 9);
    expect(value(result.detection.raw)).toBeCloseTo((1 / 3 + 1 + 1) / 3, 9);
    expect(result.boundaryIou.n).toBe(2);
  });

  it('say why there is nothing to compare', () => {
    const nothing = maskAgreement([{ item: 'a', answers: [null, box(0)] }]);
    expect(nothing.iou).toMatchObject({ value: null, reason: 'No item was drawn by two people.' });
  });

  it('agree when both are empty drawings', () => {
    const empty = emptyMask(20, 40);
    expect(value(maskAgreement([{ item: 'a', answers: [empty, empty] }]).iou)).toBe(1);
  });
});
