import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { area, difference, equals, fromLabelMap, type Mask, toLabelMap } from '@/lib/core/mask';
import { drawn, masksOfOneSize } from './arbitrary';

const body = { label: 7, mask: drawn('###.', '###.') };
const wing = { label: 3, mask: drawn('.###', '....') };

describe('a label map', () => {
  it('gives an overlap to the last layer, or to the first, and counts what was overwritten', () => {
    const last = toLabelMap([body, wing], 'last-wins');
    expect(Array.from(last.labels)).toEqual([7, 3, 3, 3, 7, 7, 7, 0]);
    expect(last).toMatchObject({ lost: [2, 0], overwritten: 2 });
    const first = toLabelMap([body, wing], 'first-wins');
    expect(Array.from(first.labels)).toEqual([7, 7, 7, 3, 7, 7, 7, 0]);
    expect(first).toMatchObject({ lost: [0, 2], overwritten: 2 });
  });

  it('reads back to the visible part of each layer', () => {
    fc.assert(
      fc.property(masksOfOneSize(3), (masks) => {
        const [a, b, c] = masks as [Mask, Mask, Mask];
        const layers = masks.map((mask, i) => ({ label: 10 * (i + 1), mask }));
        const { labels, height, width, lost } = toLabelMap(layers, 'last-wins');
        const visible = [difference(difference(a, b), c), difference(b, c), c];
        const back = fromLabelMap(labels, height, width);
        visible.forEach((mask, i) => {
          const found = back.find(({ label }) => label === 10 * (i + 1));
          if (area(mask) === 0) expect(found).toBeUndefined();
          else expect(equals(found?.mask as Mask, mask)).toBe(true);
          expect(lost[i]).toBe(area(layers[i]?.mask as Mask) - area(mask));
        });
      }),
    );
  });

  it.each([0, -1, 1.5, 65_536, Number.NaN])('refuses the label %s', (label) => {
    expect(() => toLabelMap([body, { label, mask: wing.mask }], 'last-wins')).toThrow(
      expect.objectContaining({ code: 'bad-argument', where: 'layers[1].label' }),
    );
  });

  it('refuses no layers, other sizes, other lengths and strange labels', () => {
    expect(() => toLabelMap([], 'last-wins')).toThrow(expect.objectContaining({ code: 'no-masks' }));
    expect(() => toLabelMap([body, { label: 1, mask: drawn('#') }], 'last-wins')).toThrow(
      expect.objectContaining({ code: 'size-mismatch' }),
    );
    expect(() => fromLabelMap([1, 2, 3], 2, 2)).toThrow(expect.objectContaining({ code: 'bad-bitmap' }));
    expect(() => fromLabelMap([0, 0, -4, 0], 2, 2)).toThrow(expect.objectContaining({ where: 'labels[2]' }));
  });
});
