import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crop, equals, flipHorizontal, flipVertical, pad, scale, translate } from '@/lib/core/mask';
import { anyMask, anySize, drawing, drawn, paint, pixels } from './arbitrary';

describe('moving masks about', () => {
  it('translates by whole pixels and loses what leaves the canvas', () => {
    const offset = fc.integer({ min: -30, max: 30 });
    fc.assert(
      fc.property(anyMask, offset, offset, (mask, dx, dy) => {
        const on = pixels(mask);
        const expected = paint(mask.height, mask.width, (x, y) => on(x - dx, y - dy));
        expect(drawing(translate(mask, dx, dy))).toEqual(drawing(expected));
      }),
    );
  });

  it('flips', () => {
    expect(drawing(flipHorizontal(drawn('#..', '##.')))).toEqual(['..#', '.##']);
    expect(drawing(flipVertical(drawn('#..', '##.')))).toEqual(['##.', '#..']);
    fc.assert(
      fc.property(anyMask, (mask) => {
        expect(equals(flipHorizontal(flipHorizontal(mask)), mask)).toBe(true);
        expect(equals(flipVertical(flipVertical(mask)), mask)).toBe(true);
      }),
    );
  });

  it('pads and crops back', () => {
    const side = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(
        anyMask,
        fc.record({ top: side, right: side, bottom: side, left: side }),
        (mask, padding) => {
          const padded = pad(mask, padding);
          expect(padded.height).toBe(mask.height + padding.top + padding.bottom);
          const back = crop(padded, [padding.left, padding.top, mask.width, mask.height]);
          expect(equals(back, mask)).toBe(true);
        },
      ),
    );
  });

  it('scales to the old pixel under each new centre', () => {
    fc.assert(
      fc.property(anyMask, anySize, (mask, { height, width }) => {
        const on = pixels(mask);
        const nearest = (i: number, from: number, to: number) => Math.floor(((2 * i + 1) * from) / (2 * to));
        const expected = paint(height, width, (x, y) =>
          on(nearest(x, mask.width, width), nearest(y, mask.height, height)),
        );
        expect(drawing(scale(mask, height, width))).toEqual(drawing(expected));
      }),
    );
  });

  it.each([
    ['a crop beyond the canvas', () => crop(drawn('##'), [1, 0, 2, 1])],
    ['a crop of half a pixel', () => crop(drawn('##'), [0.5, 0, 1, 1])],
    ['negative padding', () => pad(drawn('##'), { top: -1, right: 0, bottom: 0, left: 0 })],
    ['a move by half a pixel', () => translate(drawn('##'), 0.5, 0)],
  ])('refuses %s', (_, move) => {
    expect(move).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});
