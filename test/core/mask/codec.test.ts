import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  decodeCounts,
  emptyMask,
  encodeCounts,
  equals,
  fromCounts,
  fullMask,
  hash,
  toCounts,
} from '@/lib/core/mask';
import { chooseKernel } from '@/lib/core/mask/kernel';
import { anyMask, anyPair, drawn, initialKernel, kernels, paint } from './arbitrary';

describe.each(kernels)('the compressed string by the $name path', (path) => {
  beforeAll(() => chooseKernel(path));
  afterAll(() => chooseKernel(initialKernel));

  it('is what COCO writes for empty, full and single-pixel masks', () => {
    expect(encodeCounts(emptyMask(3, 4))).toBe('<');
    expect(encodeCounts(fullMask(3, 4))).toBe('0<');
    expect(encodeCounts(drawn('....', '..#.', '....'))).toBe('714');
    const bar = paint(100, 100, (x, y) => y >= 10 && y < 20 && x >= 10 && x < 90);
    expect(encodeCounts(bar).startsWith('bo0:j2000')).toBe(true);
  });

  it('reads back to the same mask', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        expect(equals(decodeCounts(encodeCounts(mask), mask.height, mask.width), mask)).toBe(true);
      }),
    );
  });

  it('holds runs as long as the largest mask', () => {
    const side = 16_384;
    const runs = [0, side * side - 2, 1, 1];
    const mask = fromCounts(runs, side, side);
    expect(toCounts(decodeCounts(encodeCounts(mask), side, side))).toEqual(runs);
  });

  it('takes empty runs inside as COCO does: they change no pixel', () => {
    // 2, 0, 3, 4, 3 in a canvas of 12.
    expect(toCounts(decodeCounts('20340', 3, 4))).toEqual([5, 4, 3]);
  });

  it.each([
    ['runs that end before the last pixel', '714', 4, 4, 'bad-counts', 'counts[3]'],
    ['runs that go past the last pixel', '71f0', 3, 4, 'bad-counts', 'counts[2]'],
    ['a negative run', 'O', 3, 4, 'bad-counts', 'counts[0]'],
    ['a string cut inside a number', '7P', 3, 4, 'bad-string', 'counts[2]'],
    ['a character that is none of COCO’s', '7~4', 3, 4, 'bad-string', 'counts[1]'],
    ['a letter of another script', '7é4', 3, 4, 'bad-string', 'counts[1]'],
    ['a number without end', 'PPPPPPPPPPPP0', 3, 4, 'bad-string', 'counts[0]'],
    ['nothing at all', '', 3, 4, 'bad-counts', 'counts[0]'],
  ])('is refused with %s', (_, string, height, width, code, where) => {
    expect(() => decodeCounts(string, height, width)).toThrow(expect.objectContaining({ code, where }));
  });

  it('never reads rubbish without an error or a full canvas', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWo') }),
        (text) => {
          try {
            const mask = decodeCounts(text, 5, 7);
            expect(toCounts(mask).reduce((sum, n) => sum + n, 0)).toBe(35);
          } catch (error) {
            expect(error).toMatchObject({ name: 'MaskError' });
          }
        },
      ),
    );
  });
});

describe('uncompressed counts', () => {
  it('read back to the same mask', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        expect(equals(fromCounts(toCounts(mask), mask.height, mask.width), mask)).toBe(true);
      }),
    );
  });

  it.each([
    ['a negative run', [5, -1, 8], 'counts[1]'],
    ['a fraction', [5, 0.5, 6.5], 'counts[1]'],
    ['a NaN', [Number.NaN], 'counts[0]'],
    ['too long runs', [5, 8], 'counts[1]'],
    ['too short runs', [5, 6], 'counts[2]'],
  ])('are refused with %s', (_, counts, where) => {
    expect(() => fromCounts(counts, 3, 4)).toThrow(expect.objectContaining({ code: 'bad-counts', where }));
  });
});

describe('equality and hash', () => {
  it('agree with the pixels and the size', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const same = encodeCounts(a) === encodeCounts(b);
        expect(equals(a, b)).toBe(same);
        if (same) expect(hash(a)).toBe(hash(b));
      }),
    );
    expect(equals(emptyMask(3, 4), emptyMask(4, 3))).toBe(false);
    expect(hash(emptyMask(3, 4))).not.toBe(hash(emptyMask(4, 3)));
  });
});
