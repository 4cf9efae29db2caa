import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRateAt, planChecks } from '@/lib/core/quality/check-rate';
import { checkSchedules } from '@/lib/core/quality/policy';
import { evidenceLimit, evidenceOf, suspicionOf } from '@/lib/core/quality/sequential';
import { createRng } from '@/lib/demo/scenes/prng';

type Schedule = (typeof checkSchedules)[number];

const RUNS = 2000;

/** One worker who passes a share of the checks, until the evidence is in or the items are done. */
function work(
  checkSchedule: Schedule,
  passes: (itemsDone: number) => number,
  items: number,
  random: () => number,
  look: (outcomes: boolean[]) => number = evidenceOf,
) {
  const outcomes: boolean[] = [];
  for (let itemsDone = 0; itemsDone < items; itemsDone++) {
    const seen = { itemsDone, evidence: look(outcomes) };
    if (random() >= checkRateAt({ checkRate: 0.05, checkSchedule }, seen)) continue;
    outcomes.push(random() < passes(itemsDone));
    if (evidenceOf(outcomes) >= evidenceLimit())
      return { items: itemsDone + 1, checks: outcomes.length, isCaught: true };
  }
  return { items, checks: outcomes.length, isCaught: false };
}

function simulate(schedule: Schedule) {
  const rng = createRng(5).fork(schedule);
  const random = () => rng.next();
  const runs = (passes: number, items: number) =>
    Array.from({ length: RUNS }, () => work(schedule, () => passes, items, random));
  const bad = runs(0.6, 5000)
    .map((run) => run.items)
    .sort((a, b) => a - b);
  const good = runs(0.9, 700);
  const sum = (list: number[]) => list.reduce((total, each) => total + each, 0);
  return {
    mean: sum(bad) / RUNS,
    median: bad[RUNS / 2] ?? 0,
    share: sum(good.map((run) => run.checks)) / sum(good.map((run) => run.items)),
    falseFlags: good.filter((run) => run.isCaught).length / RUNS,
  };
}

describe('how soon a bad worker is caught', () => {
  it.each([
    { schedule: 'flat' as const, mean: 232, median: 177, share: 0.05 },
    { schedule: 'front-loaded' as const, mean: 122, median: 56, share: 0.06 },
    { schedule: 'suspicion' as const, mean: 94, median: 40, share: 0.057 },
  ])('by a $schedule rate after about $mean items', ({ schedule, mean, median, share }) => {
    const found = simulate(schedule);
    expect(Math.abs(found.mean / mean - 1)).toBeLessThan(0.06);
    expect(Math.abs(found.median - median)).toBeLessThan(10);
    expect(found.share).toBeCloseTo(share, 2);
    expect(Math.abs(found.falseFlags - 0.03)).toBeLessThan(0.01);
  });
});

describe('how soon somebody is caught who turns bad after a hundred items', () => {
  const itemsOf = (look: (outcomes: boolean[]) => number) => {
    const rng = createRng(9);
    const turns = (itemsDone: number) => (itemsDone < 100 ? 0.97 : 0.3);
    const runs = Array.from({ length: 500 }, () => work('suspicion', turns, 2000, () => rng.next(), look));
    return runs.reduce((sum, run) => sum + run.items, 0) / runs.length - 100;
  };

  it('is much sooner when past good work does not keep anybody from looking', () => {
    expect(itemsOf(suspicionOf)).toBeLessThan(0.75 * itemsOf(evidenceOf));
  });
});

describe('the rate of checks', () => {
  const at = (checkSchedule: Schedule, itemsDone: number, evidence = 0) =>
    checkRateAt({ checkRate: 0.05, checkSchedule }, { itemsDone, evidence });

  it('is the same for everybody when flat', () => {
    expect([at('flat', 0, 9), at('flat', 500)]).toEqual([0.05, 0.05]);
  });

  it('falls in two steps when front-loaded', () => {
    expect([0, 19, 20, 79, 80].map((done) => at('front-loaded', done))).toEqual([0.25, 0.25, 0.1, 0.1, 0.05]);
  });

  it('follows suspicion, up to a limit, and never falls under the base rate', () => {
    const limit = evidenceLimit();
    expect(at('suspicion', 19, -limit)).toBe(0.25);
    expect(at('suspicion', 20, -limit)).toBe(0.05);
    expect(at('suspicion', 20, limit / 2)).toBeCloseTo(0.175, 12);
    expect(at('suspicion', 20, 10 * limit)).toBeCloseTo(0.3, 12);
  });

  it('keeps a high base rate, and no checks where the policy has none', () => {
    expect(checkRateAt({ checkRate: 0.5, checkSchedule: 'suspicion' }, { itemsDone: 3, evidence: 9 })).toBe(
      0.5,
    );
    expect(checkRateAt({ checkRate: 0, checkSchedule: 'front-loaded' }, { itemsDone: 3, evidence: 0 })).toBe(
      0,
    );
  });
});

describe('the checks of a batch', () => {
  const policy = fc.record({
    checkRate: fc.double({ min: 0, max: 1, noNaN: true }),
    checkSchedule: fc.constantFrom(...checkSchedules),
  });
  const seen = fc.record({
    itemsDone: fc.nat(200),
    evidence: fc.double({ min: -3, max: 6, noNaN: true }),
  });

  it('are never the whole batch, unless it is of one item', () => {
    fc.assert(
      fc.property(
        policy,
        seen,
        fc.nat(60),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (p, s, size, dice) => {
          const count = planChecks(p, s, Array(size).fill(1), () => dice);
          expect(Number.isInteger(count)).toBe(true);
          expect(count).toBeGreaterThanOrEqual(0);
          expect(count).toBeLessThanOrEqual(size === 1 ? 1 : Math.max(0, size - 1));
        },
      ),
    );
  });

  it('make up the rate in the long run, also where a batch would hold a fraction of a check', () => {
    const rng = createRng(1);
    const counts = Array.from({ length: 4000 }, () =>
      planChecks(
        { checkRate: 0.05, checkSchedule: 'flat' },
        { itemsDone: 0, evidence: 0 },
        Array(5).fill(1),
        () => rng.next(),
      ),
    );
    expect(counts.reduce((a, b) => a + b, 0) / (5 * counts.length)).toBeCloseTo(0.05, 2);
  });

  it('are five of the first twenty items of a newcomer', () => {
    const policy = { checkRate: 0.05, checkSchedule: 'suspicion' as const };
    expect(planChecks(policy, { itemsDone: 0, evidence: 0 }, Array(20).fill(1), () => 0.5)).toBe(5);
  });
});
