import { describe, expect, it } from 'vitest';
import { normalCdf } from '@/lib/core/quality/distributions';
import { type Exposure, exposureTrend, LEAK_P, shortClasses } from '@/lib/core/quality/gold-balance';
import { createRng } from '@/lib/demo/scenes/prng';

describe('classes that are short of gold', () => {
  it('are common ones with less than half of their share', () => {
    const supply = [
      { className: 'truck', images: 340, gold: 6 },
      { className: 'dog', images: 300, gold: 24 },
      { className: 'cat', images: 330, gold: 29 },
      { className: 'deer', images: 30, gold: 1 },
    ];
    expect(shortClasses(supply)).toEqual([
      { className: 'truck', imageShare: 0.34, goldShare: 0.1, missing: 15 },
    ]);
  });

  it('are none without gold or images, or when gold follows the images', () => {
    expect(shortClasses([])).toEqual([]);
    expect(shortClasses([{ className: 'dog', images: 10, gold: 0 }])).toEqual([]);
    expect(shortClasses([{ className: null, images: 10, gold: 3 }])).toEqual([]);
  });
});

/** Checks on 20 gold items of different difficulty, each met by 15 workers in turn. */
function history(seed: number, passRate: (difficulty: number, before: number) => number): Exposure[] {
  const rng = createRng(seed);
  return Array.from({ length: 300 }, (_, n) => {
    const [item, before] = [n % 20, Math.floor(n / 20)];
    return { goldId: `g${item}`, before, passed: rng.next() < passRate(0.6 + item / 60, before) };
  });
}

describe('the exposure trend', () => {
  it('finds workers who pass more often the more others have met an item', () => {
    const trend = exposureTrend(history(1, (rate, before) => (before < 4 ? rate : 1)));
    expect(trend?.p).toBeLessThan(LEAK_P);
    expect(trend?.late).toBeGreaterThan(trend?.early ?? 1);
  });

  it('raises a false alarm in no more than about one of a thousand honest histories', () => {
    const alarms = Array.from({ length: 2000 }, (_, seed) =>
      exposureTrend(history(seed, (rate) => rate)),
    ).filter((trend) => trend && trend.p < LEAK_P);
    expect(alarms.length).toBeLessThanOrEqual(8);
  });

  it('does not mistake easy items that happen to be shown often for a leak', () => {
    const easy = Array.from({ length: 100 }, (_, before) => ({ goldId: 'easy', before, passed: true }));
    const hard = Array.from({ length: 30 }, (_, before) => ({
      goldId: 'hard',
      before,
      passed: before % 2 === 0,
    }));
    expect(exposureTrend([...easy, ...hard])?.p ?? 1).toBeGreaterThan(0.1);
  });

  it('says nothing about few checks, or about checks that all ended alike', () => {
    expect(exposureTrend(history(1, () => 0.5).slice(0, 30))).toBeNull();
    expect(exposureTrend(history(1, () => 1))).toBeNull();
  });
});

it('the normal distribution has its textbook values', () => {
  for (const [z, p] of [
    [0, 0.5],
    [1.96, 0.9750021],
    [-1.2816, 0.1],
    [3.0902, 0.999],
  ] as const)
    expect(normalCdf(z)).toBeCloseTo(p, 4);
});
