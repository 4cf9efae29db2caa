import { describe, expect, it } from 'vitest';
import { measureEvidence } from '@/lib/core/quality/evidence';
import type { HistoryCheck } from '@/lib/core/quality/history';
import { findRule } from '@/lib/core/quality/rules';
import { createRng, type Rng } from '@/lib/demo/scenes/prng';
import { check, history, minute } from '../histories';
import { equalParts, form, independentParts, itemsUntil, liveCareer, type Shape } from './careers';

const HORIZONS = [300, 1000, 3000] as const;
const CAREERS = 200;

/** Three standard errors: a simulation of a true rate at the bound exceeds this once in 700 times. */
const atMost = (error: number) => error + 3 * Math.sqrt((error * (1 - error)) / CAREERS);

/** The share of careers in which any test of a rule reaches its limit within each number of items. */
function stopped(ruleId: string, live: () => ReturnType<typeof history>): number[] {
  const rule = findRule(ruleId);
  const first = Array.from({ length: CAREERS }, () => {
    const tests = rule?.tests(live(), {}) ?? [];
    return Math.min(
      ...tests.map((test) => {
        const { points, limit } = measureEvidence(test);
        return itemsUntil(points, limit);
      }),
    );
  });
  return HORIZONS.map((items) => first.filter((until) => until < items).length / CAREERS);
}

const careers = (shape: Shape, rate: number, seed: number) => {
  const rng = createRng(seed);
  return () => liveCareer({ items: 3000, shape, passes: () => rate, rng });
};

describe('a good worker at the border is stopped in a career of 300, 1,000 and 3,000 items at most as stated', () => {
  it.each([
    { rule: 'failed-checks', rate: 0.85, error: 0.01 },
    { rule: 'target-checks', rate: 0.75, error: 0.003 },
  ])('by $rule', ({ rule, rate, error }) => {
    for (const [seed, shape] of [form, independentParts, equalParts].entries())
      for (const share of stopped(rule, careers(shape, rate, 11 + seed)))
        expect(share).toBeLessThanOrEqual(atMost(error));
  });

  it.each([0, 1])('by below-bar, for attributes of an image that are %s correlated', (correlation) => {
    const rng = createRng(21 + correlation);
    const live = () => history({ checks: formChecks(rng, correlation === 1, 0.75), targetCount: 28 });
    for (const share of stopped('below-bar', live)) expect(share).toBeLessThanOrEqual(atMost(0.005));
  });

  it('by below-expected, whose trusted people are better by the margin', () => {
    const rng = createRng(31);
    const live = () => {
      const { checks } = liveCareer({ items: 3000, shape: form, passes: () => 0.8, rng });
      // The mean level of these careers is 0.76.
      return history({ checks: checks.map((each) => ({ ...each, expected: 0.86 })) });
    };
    for (const share of stopped('below-expected', live)) expect(share).toBeLessThanOrEqual(atMost(0.002));
  });
});

/** Forms with four attributes, of which a worker exactly at the bar of recall finds three of four on average. */
function formChecks(rng: Rng, areEqual: boolean, recall: number): HistoryCheck[] {
  return Array.from({ length: 200 }, (_, i) => {
    const dice = rng.next();
    const found = Array.from({ length: 4 }, () => (areEqual ? dice : rng.next()) < recall).filter(Boolean);
    const truePositives = found.length;
    const score = { level: 0.8, truePositives, falsePositives: 0, falseNegatives: 4 - truePositives };
    return check(i, { at: minute(15 * i), score });
  });
}

describe('a bad worker is stopped by failed-checks', () => {
  // Measured with other seeds: 93, 87 and 37 of 100 forms.
  it.each([
    { rate: 0.6, within: 300, atLeast: 0.85 },
    { rate: 0.7, within: 1000, atLeast: 0.9 },
    { rate: 0.8, within: 3000, atLeast: 0.25 },
  ])('who passes $rate of the checks within $within items', ({ rate, within, atLeast }) => {
    const shares = stopped('failed-checks', careers(form, rate, 41));
    expect(shares[HORIZONS.indexOf(within as (typeof HORIZONS)[number])]).toBeGreaterThanOrEqual(atLeast);
  });
});
