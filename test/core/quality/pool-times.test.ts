import { describe, expect, it } from 'vitest';
import { poolTimes } from '@/lib/core/quality/history';
import { createRng } from '@/lib/demo/scenes/prng';

/** Log-normal times around half a minute, by the sum of twelve uniforms. */
function times(n: number): number[] {
  const rng = createRng(3);
  return Array.from({ length: n }, () => {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += rng.next();
    return 30_000 * Math.exp(0.5 * sum);
  });
}

describe('how long everybody takes', () => {
  it('is unknown of a few answers', () => {
    expect(poolTimes(times(39))).toBeNull();
  });

  it('is told by the median and the fifth percentile', () => {
    const pool = poolTimes(times(4000));
    expect((pool?.medianMs ?? 0) / 30_000).toBeCloseTo(1, 1);
    expect((pool?.fifthMs ?? 0) / (30_000 * Math.exp(-0.5 * 1.6449))).toBeCloseTo(1, 1);
  });

  it('is hardly moved by one in ten who just clicks', () => {
    const honest = times(900);
    const all = [...honest, ...Array<number>(100).fill(1000)];
    const [before, after] = [poolTimes(honest), poolTimes(all)];
    expect((after?.fifthMs ?? 0) / (before?.fifthMs ?? 1)).toBeGreaterThan(0.75);
  });
});
