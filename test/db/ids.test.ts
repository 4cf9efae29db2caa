import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '@/db';

afterEach(() => vi.useRealTimers());

describe('a new id', () => {
  it('sorts after the one before it although the clock was set back an hour (a withdrawal sorted before its consent)', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const consent = newId();
    vi.setSystemTime(Date.now() - 3_600_000);
    // More than one millisecond has places for.
    const later = Array.from({ length: 10_000 }, () => newId());
    expect([...later, consent].sort()).toEqual([consent, ...later]);
  });

  it('is a UUID of version 7', () => {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sorts after those of earlier milliseconds', () => {
    const moments = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1];
    const ids = moments.map((moment) => newId(moment));
    expect([...ids].sort()).toEqual(ids);
  });

  it('sorts after the one before it also within a millisecond (a withdrawal could come before its consent)', () => {
    const ids = Array.from({ length: 2000 }, () => newId(1_794_796_383_061));
    expect([...ids].sort()).toEqual(ids);
  });

  it('carries its moment', () => {
    const moment = 1_794_796_383_060;
    expect(Number.parseInt(newId(moment).replaceAll('-', '').slice(0, 12), 16)).toBe(moment);
  });

  it('is never the same twice, also within a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, () => newId(1_794_796_383_060));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
