import { describe, expect, it } from 'vitest';
import { type Claim, calibrationOf, runCalibration } from '@/lib/demo/simulation/calibrate';

describe('the expected calibration error', () => {
  const claims = (confidence: number, right: number, n = 100): Claim[] =>
    Array.from({ length: n }, (_, i) => ({ confidence, isRight: i < right * n }));

  it('is 0 where labels are right as often as they claim', () => {
    expect(calibrationOf([...claims(0.9, 0.9), ...claims(0.5, 0.5)]).error).toBeCloseTo(0, 12);
  });

  it('is the mean gap, weighted by labels, whatever its direction', () => {
    const found = calibrationOf([...claims(0.9, 0.7, 300), ...claims(0.5, 0.6, 100)]);
    expect(found.error).toBeCloseTo(0.75 * 0.2 + 0.25 * 0.1, 12);
    expect(found.bins.filter(({ n }) => n > 0)).toHaveLength(2);
  });

  it('puts complete certainty into the last bin', () => {
    expect(calibrationOf(claims(1, 1)).bins.at(-1)).toMatchObject({ n: 100, right: 1 });
  });
});

describe('the confidence of labels at overlap 3', () => {
  // Three crews: the few workers and checks of one crew are a small sample by themselves.
  const run = { seeds: [11, 12, 13], items: 500, images: 250, gold: 150, overlap: 3 };
  const results = new Map(runCalibration(run).map((result) => [result.series, result]));

  it.each(['attribute', 'form', 'class', 'object-mask', 'part-mask'] as const)(
    'is within 0.03 of the share of right labels: %s',
    (series) => {
      const result = results.get(series);
      expect(result?.n).toBeGreaterThanOrEqual(3600);
      expect(result?.error).toBeLessThanOrEqual(0.03);
    },
  );
});
