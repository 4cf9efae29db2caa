import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupByImage, measureEvidence, wealthPath } from '@/lib/core/quality/evidence';
import { judge } from '@/lib/core/quality/judge';
import { defaultRules, rules } from '@/lib/core/quality/rules';
import { passTest } from '@/lib/core/quality/rules/failed-checks';
import { createRng } from '@/lib/demo/scenes/prng';
import { check, history, minute } from '../histories';
import { form, independentParts, liveCareer } from './careers';

const outcomes = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 });
const claims = fc.double({ min: 0.05, max: 0.95, noNaN: true });

describe('the wealth of a bettor against a worker', () => {
  it('is a supermartingale: the next outcome does not change it on average where the claim just holds', () => {
    fc.assert(
      fc.property(outcomes, claims, (past, good) => {
        const wealthAfter = (outcome: number) => wealthPath([...past, outcome], good).at(-1) ?? 1;
        const wealthBefore = wealthPath(past, good).at(-1) ?? 1;
        const expected = good * wealthAfter(1) + (1 - good) * wealthAfter(0);
        expect(Math.abs(expected / wealthBefore - 1)).toBeLessThan(1e-9);
        const better = good + (1 - good) / 2;
        expect(better * wealthAfter(1) + (1 - better) * wealthAfter(0)).toBeLessThanOrEqual(
          wealthBefore * (1 + 1e-9),
        );
      }),
    );
  });

  it('is never negative, falls with a good outcome and grows with a bad one', () => {
    fc.assert(
      fc.property(outcomes, claims, (past, good) => {
        const wealthBefore = wealthPath(past, good).at(-1) ?? 1;
        expect(wealthBefore).toBeGreaterThanOrEqual(0);
        expect(wealthPath([...past, 1], good).at(-1)).toBeLessThanOrEqual(wealthBefore);
        expect(wealthPath([...past, 0], good).at(-1)).toBeGreaterThanOrEqual(wealthBefore);
        expect(wealthPath([...past, null], good).at(-1) ?? 1).toBeCloseTo(wealthBefore, 9);
      }),
    );
  });
});

describe('evidence', () => {
  const shuffle = <T>(list: readonly T[], rng: ReturnType<typeof createRng>): T[] =>
    list
      .map((value) => ({ value, key: rng.next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value);

  it('counts the checks of one image once', () => {
    const ofOneImage = Array.from({ length: 8 }, (_, i) =>
      check(i, { imageId: 'same', target: `part-${i}`, passed: false }),
    );
    expect(groupByImage(ofOneImage)).toHaveLength(1);
    const single = measureEvidence(passTest(history({ checks: [check(0, { passed: false })] }), 0.85, 0.01));
    const all = measureEvidence(passTest(history({ checks: ofOneImage, targetCount: 8 }), 0.85, 0.01));
    expect(all.current).toBeCloseTo(single.current, 9);
  });

  it('does not depend on the order in which checks are read or rules are listed', () => {
    const rng = createRng(2);
    for (let i = 0; i < 40; i++) {
      const life = liveCareer({ items: 200, shape: independentParts, passes: () => 0.65, rng });
      const shuffled = { ...life, checks: shuffle(life.checks, rng) };
      const value = (of: typeof life) => measureEvidence(passTest(of, 0.85, 0.01)).current;
      expect(value(shuffled)).toBe(value(life));
      expect(judge(life, shuffle(defaultRules, rng))).toEqual(judge(life, defaultRules));
    }
  });

  it('of no rule depends on the order in which checks are read or on how work is cut into batches', () => {
    const sequential = rules.filter(({ errorControl }) => errorControl === 'bounded');
    expect(sequential.map(({ id }) => id)).toEqual([
      'failed-checks',
      'below-bar',
      'below-expected',
      'target-checks',
    ]);
    const rng = createRng(5);
    for (let i = 0; i < 20; i++) {
      const career = liveCareer({ items: 300, shape: independentParts, passes: () => 0.6, rng });
      // Neither part nor measure appears later than the first checks: the share of the error is fixed from then on.
      const life = { ...career, checks: career.checks.map((each) => ({ ...each, expected: 0.8 })) };
      const upTo = (n: number) => ({ ...life, checks: life.checks.filter(({ at }) => at < minute(n)) });
      for (const rule of sequential) {
        const pointsOf = (of: typeof life) =>
          rule
            .tests(of, {})
            .map((test) => measureEvidence(test))
            .map(({ target, limit, points }) => ({ target, limit, points }))
            .sort((a, b) => ((a.target ?? '') < (b.target ?? '') ? -1 : 1));
        const whole = pointsOf(life);
        expect(whole.length).toBeGreaterThan(0);
        expect(pointsOf({ ...life, checks: shuffle(life.checks, rng) })).toEqual(whole);
        for (let n = rng.integer(20, 60); n < 300; n += rng.integer(1, 60))
          expect(pointsOf(upTo(n))).toEqual(
            whole.map(({ points, ...test }) => ({
              ...test,
              points: points.filter(({ at }) => at < minute(n)),
            })),
          );
      }
    }
  });

  it('does not depend on how work is cut into batches', () => {
    const rng = createRng(4);
    for (let i = 0; i < 40; i++) {
      const life = liveCareer({ items: 400, shape: form, passes: () => 0.7, rng });
      const whole = measureEvidence(passTest(life, 0.85, 0.01));
      const knownAt = (n: number) => ({ ...life, checks: life.checks.filter(({ at }) => at < minute(n)) });
      for (let n = 0; n < 400; n += rng.integer(1, 60)) {
        const part = measureEvidence(passTest(knownAt(n), 0.85, 0.01));
        expect(part.points).toEqual(whole.points.slice(0, part.points.length));
      }
      // A look after the limit was reached sees that it was, however many good answers came in between.
      const reached = whole.points.findIndex(({ value }) => value >= whole.limit);
      if (reached >= 0) expect(whole.highest).toBeGreaterThanOrEqual(whole.limit);
    }
  });
});
