import { describe, expect, it } from 'vitest';
import { confusionOf, driftOf, NOTHING } from '@/lib/services/curation/overview/confusion';
import { forecast } from '@/lib/services/curation/overview/forecast';

describe('a forecast', () => {
  it('is done when nothing is left, and still when nothing comes', () => {
    expect(forecast(0, [1, 2])).toEqual({ kind: 'done' });
    expect(forecast(10, [0, 0, 0])).toEqual({ kind: 'still' });
    expect(forecast(10, [])).toEqual({ kind: 'still' });
  });

  it('divides what is left by the mean of the days, and gives both ends', () => {
    const found = forecast(700, [100, 90, 110, 100, 95, 105, 100]);
    if (found.kind !== 'moving') throw new Error('Answers come.');
    expect(found.perDay).toBe(100);
    expect(found.days).toBe(7);
    // Poisson: the spread of a day is 10, of the mean of seven 3.78; Student's 2.447 of it is 9.25.
    expect(found.high - found.perDay).toBeCloseTo(9.25, 1);
    expect(found.soonest).toBeLessThan(7);
    expect(found.latest).toBeGreaterThan(7);
  });

  it('promises little after one busy day among idle ones', () => {
    const found = forecast(700, [700, 0, 0, 0, 0, 0, 0]);
    expect(found).toMatchObject({ kind: 'moving', perDay: 100, low: 0, latest: null });
  });
});

describe('the drift of a worker', () => {
  const scores = (value: number, count: number) => Array.from({ length: count }, () => value);

  it('is not told from too few checks', () => {
    expect(driftOf(scores(0.9, 19))).toBeNull();
    expect(driftOf([])).toBeNull();
  });

  it('is told where the intervals of early and late do not meet', () => {
    expect(driftOf([...scores(0.9, 30), ...scores(0.3, 15)])?.verdict).toBe('worse');
    expect(driftOf([...scores(0.3, 30), ...scores(0.9, 15)])?.verdict).toBe('better');
    expect(driftOf(scores(0.8, 45))?.verdict).toBe('no change to be seen');
  });
});

describe('the confusion of a worker', () => {
  it('counts what was marked instead of what was missed', () => {
    const found = confusionOf([
      { 'missed:tail': 1, 'wrong:wings': 1 },
      { 'missed:tail': 1, 'wrong:wings': 1, 'right:beak': 1 },
      { 'missed:beak': 1 },
      { 'right:tail': 1 },
    ]);
    expect(found).toEqual({
      missed: ['tail', 'beak'],
      marked: ['wings', NOTHING],
      counts: [
        [2, 0],
        [0, 1],
      ],
    });
  });

  it('is empty of somebody who missed nothing', () => {
    expect(confusionOf([{ 'right:tail': 1 }, {}])).toEqual({ missed: [], marked: [], counts: [] });
  });
});
