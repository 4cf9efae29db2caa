import { expect, it } from 'vitest';
import { dependencies, isCompatible, reasonOf } from '@/bin/docs/dependencies';

it('every dependency may be distributed with a program under Apache-2.0', () => {
  const all = dependencies();
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter(({ licence }) => !isCompatible(licence))).toEqual([]);
});

it('licences are read as expressions', () => {
  expect(isCompatible('(GPL-3.0-only OR MIT)')).toBe(true);
  expect(isCompatible('MIT AND GPL-3.0-only')).toBe(false);
  for (const licence of [
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'SSPL-1.0',
    'BUSL-1.1',
    'UNLICENSED',
    'unknown',
    '',
  ])
    expect(isCompatible(licence), licence).toBe(false);
});

it('every dependency that we chose is there for a reason', () => {
  const chosen = dependencies().filter(({ isDirect }) => isDirect);
  expect(chosen.filter(({ name }) => reasonOf(name) === '').map(({ name }) => name)).toEqual([]);
});
