import { describe, expect, it } from 'vitest';
import { resolveInside } from '@/lib/services/storage';

describe('resolveInside', () => {
  it('stays in its folder', () => {
    expect(resolveInside('/data', 'a/b')).toBe('/data/a/b');
    expect(resolveInside('/data', 'a/../b')).toBe('/data/b');
  });

  it.each(['..', '../x', 'a/../../x', '/etc/passwd', '.', '', 'a\0b'])('refuses %j', (name) => {
    expect(() => resolveInside('/data', name)).toThrow(/leads out/);
  });
});
