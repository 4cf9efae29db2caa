import { describe, expect, it } from 'vitest';
import { newId } from '@/db';

describe('a new id', () => {
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
