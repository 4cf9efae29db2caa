import { describe, expect, it } from 'vitest';
import { endingOf, isSystemFile, labelFrom, uniqueLabel } from '@/lib/services/images/ingest/label';

describe('a label', () => {
  it.each([
    ['cats/1.jpg', 'cats/1.jpg'],
    ['../../etc/passwd', 'etc/passwd'],
    ['/absolute/path.png', 'absolute/path.png'],
    ['C:\\Users\\me\\cat.jpg', 'Users/me/cat.jpg'],
    ['..\\..\\evil.jpg', 'evil.jpg'],
    ['a//b/./c.jpg', 'a/b/c.jpg'],
    ['null\0byte.jpg', 'nullbyte.jpg'],
    ['gpj.\u202etac.jpg', 'gpj.tac.jpg'],
    ['half \ud800 a character.jpg', 'half  a character.jpg'],
    ['', 'unnamed'],
    ['../..', 'unnamed'],
    ['cafe\u0301.jpg', 'café.jpg'],
  ])('of %j is %j', (name, label) => {
    expect(labelFrom(name)).toBe(label);
  });

  it('is never longer than a page can show, and keeps its ending', () => {
    const label = labelFrom(`${'x'.repeat(5000)}.jpeg`);
    expect(label.length).toBeLessThanOrEqual(120);
    expect(label.endsWith('….jpeg')).toBe(true);
    expect(labelFrom(Array.from({ length: 50 }, () => 'y'.repeat(100)).join('/')).length).toBeLessThanOrEqual(
      500,
    );
  });

  it('gets a number where it is taken', () => {
    const taken = new Set(['a/cat.jpg', 'a/cat (2).jpg', 'plain']);
    expect(uniqueLabel('a/cat.jpg', taken)).toBe('a/cat (3).jpg');
    expect(uniqueLabel('plain', taken)).toBe('plain (2)');
    expect(uniqueLabel('free.png', taken)).toBe('free.png');
  });

  it('tells litter from files', () => {
    expect(
      ['.DS_Store', 'a/.DS_Store', '__MACOSX/a/b.jpg', 'a/._b.jpg', 'Thumbs.db'].every(isSystemFile),
    ).toBe(true);
    expect(['a.jpg', 'DS_Store.png', 'MACOSX/a.jpg'].some(isSystemFile)).toBe(false);
    expect([endingOf('A.ZIP'), endingOf('a.b/c'), endingOf('none')]).toEqual(['zip', '', '']);
  });
});
