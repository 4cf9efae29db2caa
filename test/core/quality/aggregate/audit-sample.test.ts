import { describe, expect, it } from 'vitest';
import { seeded } from '@/lib/core/quality/aggregate/mace';
import { auditedRate, auditSize } from '@/lib/core/quality/audit-sample';

describe('how many to audit', () => {
  it('is the textbook number for an endless population', () => {
    expect(auditSize(1e9, 0.03)).toBe(1068);
  });

  it('is about 200 of 26,000 for ± 3 % when one in twenty is wrong', () => {
    expect(auditSize(26_000, 0.03, 0.05)).toBe(202);
  });

  it('is never more than there are', () => {
    expect(auditSize(50, 0.01)).toBe(50);
  });
});

describe('the audited rate', () => {
  it('leaves no doubt once everything was looked at', () => {
    expect(auditedRate(3, 60, 60)).toEqual({ value: 0.05, n: 60, low: 0.05, high: 0.05 });
  });

  it('says nothing of nothing', () => {
    expect(auditedRate(0, 0, 100)).toBeNull();
  });

  it('is not said to be zero because a sample had no error', () => {
    expect(auditedRate(0, 200, 26_000)?.high).toBeGreaterThan(0.01);
  });

  it.each([
    [26_000, 200],
    [26_000, 400],
    [1_000, 300],
  ])('of %i, audited %i at a time, holds the truth in 93 to 97 of 100 audits', (all, size) => {
    const random = seeded(all + size);
    const audits = 1000;
    let held = 0;
    for (let audit = 0; audit < audits; audit++) {
      const wrong = Math.round(all * (0.01 + 0.24 * random()));
      const interval = auditedRate(errorsFound(wrong, all, size, random), size, all);
      if (interval && interval.low <= wrong / all && wrong / all <= interval.high) held++;
    }
    expect(held / audits).toBeGreaterThanOrEqual(0.93);
    expect(held / audits).toBeLessThanOrEqual(0.97);
  });
});

/** Draws without putting back. */
function errorsFound(wrong: number, all: number, size: number, random: () => number): number {
  let found = 0;
  for (let drawn = 0; drawn < size; drawn++) if (random() < (wrong - found) / (all - drawn)) found++;
  return found;
}
