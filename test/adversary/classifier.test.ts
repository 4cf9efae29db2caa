import { describe, expect, it } from 'vitest';
import { type Case, crossValidatedAuc } from '@/bench/adversary/classifier';
import { createRng } from '@/lib/demo/scenes/prng';

/** Sixty batches of twenty items by twelve workers, two checks each. */
function cases(seed: number, leak: (isPositive: boolean, noise: number) => number): Case[] {
  const rng = createRng(seed);
  return Array.from({ length: 1200 }, (_, n) => {
    const isPositive = n % 10 === 3;
    const noise = Array.from({ length: 10 }, (_, i) => [`noise ${i}`, rng.next()]);
    const features = { ...Object.fromEntries(noise), leak: leak(isPositive, rng.next()) };
    return { features, isPositive, stratum: `${Math.floor(n / 20)}`, group: `${Math.floor(n / 100)}` };
  });
}

describe('the classifier of the adversary', () => {
  it('finds a weak leak', () => {
    const rng = createRng(5);
    const found = crossValidatedAuc(
      cases(1, (isPositive, noise) => Number(noise < (isPositive ? 0.7 : 0.4))),
      () => rng.next(),
    );
    expect(found.low).toBeGreaterThan(0.5);
  });

  it('finds nothing where there is nothing', () => {
    const rng = createRng(5);
    const found = crossValidatedAuc(
      cases(2, (_, noise) => noise),
      () => rng.next(),
    );
    expect(found.low).toBeLessThan(0.5);
    expect(found.high).toBeGreaterThan(0.47);
  });

  it('does not count what is the same for a whole batch', () => {
    const rng = createRng(5);
    const list = cases(3, (_, noise) => noise).map((each) => ({
      ...each,
      // All checks lie in batches that are easy to tell from the others.
      features: { leak: Number(each.stratum) % 2 },
      isPositive: each.isPositive && Number(each.stratum) % 2 === 1,
    }));
    expect(crossValidatedAuc(list, () => rng.next()).auc).toBeCloseTo(0.5, 6);
  });

  it('was misled by what changes from batch to batch, and ranked leaking checks last', () => {
    const rng = createRng(5);
    const found = crossValidatedAuc(
      cases(4, (isPositive, noise) => Number(noise < (isPositive ? 0.7 : 0.4))).map((each) => {
        // Half of the batches have all the checks, and lower values of the feature that leaks.
        const isEarly = Number(each.stratum) % 2 === 1;
        const leak = (each.features.leak ?? 0) - (isEarly ? 2 : 0);
        const features = { ...each.features, leak };
        return { ...each, features, isPositive: each.isPositive && (isEarly || rng.next() < 0.1) };
      }),
      () => rng.next(),
    );
    expect(found.low).toBeGreaterThan(0.5);
  });

  it('includes 0.5 in its interval nearly always when there is no leak', () => {
    const included = Array.from({ length: 20 }, (_, seed) => {
      const rng = createRng(seed + 100);
      const { low, high } = crossValidatedAuc(
        cases(seed + 200, (_, noise) => noise),
        () => rng.next(),
      );
      return low <= 0.5 && high >= 0.5;
    }).filter(Boolean).length;
    expect(included).toBeGreaterThanOrEqual(18);
  });
});
