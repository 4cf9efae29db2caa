import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairPay, medianOf, type PaidBatch } from '@/lib/core/quality/fair-pay';

const MINUTE = 60_000;
/** $9 an hour. */
const target = 9_000_000;

const batch = (workerId: string, activeMinutes: number, wallMinutes = activeMinutes): PaidBatch => ({
  workerId,
  activeMs: activeMinutes * MINUTE,
  wallMs: wallMinutes * MINUTE,
  amountMicro: 1_500_000n,
});

describe('the median with its interval', () => {
  it('takes the order statistics that the binomial distribution tells', () => {
    // For n = 10 the second and the ninth hold the median in 97.9 % of samples, the third and eighth in 89 %.
    const found = medianOf([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(found).toEqual({ value: 5.5, n: 10, interval: { low: 2, high: 9 } });
  });

  it('has no interval of five values, and nothing of none', () => {
    expect(medianOf([1, 2, 3, 4, 5])).toEqual({ value: 3, n: 5, interval: null });
    expect(medianOf([1, 2, 3, 4, 5, 6])?.interval).toEqual({ low: 1, high: 6 });
    expect(medianOf([])).toBeNull();
  });

  it('holds its median, whatever the values', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: 0, max: 1e6 }), { minLength: 6 }), (list) => {
        const found = medianOf(list);
        expect(found?.interval?.low).toBeLessThanOrEqual(found?.value ?? 0);
        expect(found?.interval?.high).toBeGreaterThanOrEqual(found?.value ?? 0);
      }),
    );
  });
});

describe('fair pay', () => {
  it('is $9 an hour for $1.50 in ten minutes, and nobody is owed anything', () => {
    const pay = fairPay([batch('a', 10), batch('b', 10)], target);
    expect(pay.hourlyMicro?.value).toBe(9_000_000);
    expect(pay.underTarget).toMatchObject({ value: 0, n: 2 });
    expect(pay.topUps).toEqual([]);
    expect(pay.topUpMicro).toBe(0n);
  });

  it('tops up the one who took longer, to the target and not a millionth more', () => {
    const pay = fairPay([batch('quick', 8), batch('slow', 12), batch('slow', 12)], target);
    expect(pay.underTarget).toMatchObject({ value: 0.5, n: 2 });
    // 24 minutes at $9 an hour are $3.60; $3 were paid.
    expect(pay.topUps).toEqual([{ workerId: 'slow', hourlyMicro: 7_500_000, amountMicro: 600_000n }]);
    expect(pay.topUpMicro).toBe(600_000n);
  });

  it('tells active from wall time', () => {
    const pay = fairPay([batch('a', 10, 20), batch('b', 10, 30), batch('c', 10, 40)], target);
    expect(pay.activeMinutes?.value).toBe(10);
    expect(pay.wallMinutes?.value).toBe(30);
    expect(pay.hourlyMicro?.value).toBe(9_000_000);
    expect(pay.wallHourlyMicro?.value).toBe(3_000_000);
  });

  it('does not pay a night for a batch that was left open', () => {
    const usual = Array.from({ length: 20 }, (_, i) => batch(`worker-${i}`, 9 + (i % 3)));
    const pay = fairPay([...usual, batch('asleep', 600)], target);
    const asleep = pay.topUps.find(({ workerId }) => workerId === 'asleep');
    expect(asleep?.amountMicro).toBeLessThan(1_500_000n);
  });

  it('knows nothing before the first batch, and leaves out batches without time', () => {
    const nothing = fairPay([{ ...batch('a', 0) }], target);
    expect(nothing).toMatchObject({ activeMinutes: null, hourlyMicro: null, underTarget: null, topUps: [] });
  });

  it('brings everybody to the target', () => {
    const anyBatch = fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 60 }), fc.nat(3_000_000))
      .map(([workerId, minutes, micro]) => ({ ...batch(workerId, minutes), amountMicro: BigInt(micro) }));
    fc.assert(
      fc.property(fc.array(anyBatch, { maxLength: 20 }), (list) => {
        const { topUps, topUpMicro } = fairPay(list, target);
        expect(topUps.reduce((sum, { amountMicro }) => sum + amountMicro, 0n)).toBe(topUpMicro);
        const bonuses = topUps.map(({ workerId, amountMicro }) => {
          const first = list.findIndex((each) => each.workerId === workerId);
          return { first, amountMicro };
        });
        const paid = list.map((each, i) => {
          const bonus = bonuses.find(({ first }) => first === i)?.amountMicro ?? 0n;
          return { ...each, amountMicro: each.amountMicro + bonus };
        });
        expect(fairPay(paid, target).topUpMicro).toBeLessThanOrEqual(3n);
      }),
    );
  });
});
