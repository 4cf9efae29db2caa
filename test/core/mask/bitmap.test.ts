import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  area,
  BitmapBuffer,
  boundingBox,
  difference,
  emptyMask,
  equals,
  fromBitmap,
  fromColumnBitmap,
  fromLabelMap,
  fromPackedBits,
  fromRgba,
  isEmpty,
  type Mask,
  MaskCanvas,
  rasterizePolygons,
  toBitmap,
  toColumnBitmap,
  toLabelMap,
  toPackedBits,
  toRegions,
  toRgba,
} from '@/lib/core/mask';
import { chooseKernel } from '@/lib/core/mask/kernel';
import { anyMask, anyPair, drawn, initialKernel, kernels, maskOf, masksOfOneSize, pixels } from './arbitrary';
import { pairCase } from './cases';

describe.each(kernels)('bitmaps by the $name path', (path) => {
  beforeAll(() => chooseKernel(path));
  afterAll(() => chooseKernel(initialKernel));

  it('of every form read back to the same mask', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        const { height, width } = mask;
        expect(equals(fromBitmap(toBitmap(mask), height, width), mask)).toBe(true);
        expect(equals(fromColumnBitmap(toColumnBitmap(mask), height, width), mask)).toBe(true);
        expect(equals(fromPackedBits(toPackedBits(mask), height, width), mask)).toBe(true);
        expect(equals(fromRgba({ data: toRgba(mask, [9, 9, 9, 255]), height, width }), mask)).toBe(true);
      }),
    );
  });

  it('wider than the vector registers read back too', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 140 }).chain((width) => maskOf(5, width)),
        (mask) => {
          expect(equals(fromBitmap(toBitmap(mask), 5, mask.width), mask)).toBe(true);
          expect(equals(fromColumnBitmap(toColumnBitmap(mask), 5, mask.width), mask)).toBe(true);
        },
      ),
    );
  });

  it('count every non-zero byte as foreground', () => {
    const mask = fromBitmap(Uint8Array.of(0, 255, 1, 7, 0, 0), 2, 3);
    expect(equals(mask, drawn('.##', '#..'))).toBe(true);
    const columns = fromColumnBitmap(Uint8Array.of(0, 255, 1, 7, 0, 0), 3, 2);
    expect(equals(columns, drawn('.#', '#.', '#.'))).toBe(true);
  });

  it('lie on a canvas that is drawn on again and again', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const canvas = new MaskCanvas(a.height, a.width);
        for (const mask of [a, b, emptyMask(a.height, a.width), a]) {
          canvas.draw(mask);
          expect(canvas.bytes).toEqual(toBitmap(mask));
        }
      }),
    );
  });

  it('are filled with polygons as rasterising them gives, on top of anything drawn before', () => {
    for (let i = 0; i < 300; i++) {
      const { objects, height, width } = pairCase(i);
      const canvas = new MaskCanvas(height, width);
      for (const rings of [
        ...objects,
        objects.flat(),
        [...objects.flat(), ...objects.flat(), ...objects.flat()],
      ]) {
        canvas.fill(rings);
        const drawnNow = fromBitmap(canvas.bytes, height, width);
        expect(equals(drawnNow, rasterizePolygons(rings, height, width))).toBe(true);
        expect(Math.max(...canvas.bytes.slice(0, 10_000))).toBeLessThanOrEqual(1);
      }
    }
    const [nothing, broken] = [[], [[0, 0, 1, Number.NaN, 2, 2]]];
    for (const polygons of [nothing, broken])
      expect(() => new MaskCanvas(4, 4).fill(polygons)).toThrow(
        expect.objectContaining({ name: 'MaskError' }),
      );
  });

  it('are read from a buffer in either order, as often as it is written', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const rows = new BitmapBuffer(a.height, a.width);
        const columns = new BitmapBuffer(a.height, a.width, 'columns');
        expect(isEmpty(rows.toMask())).toBe(true);
        for (const mask of [a, b]) {
          rows.bytes.set(toBitmap(mask));
          columns.bytes.set(toColumnBitmap(mask));
          expect(equals(rows.toMask(), mask)).toBe(true);
          expect(equals(columns.toMask(), mask)).toBe(true);
          expect(rows.toRegions()).toEqual(toRegions(mask));
          expect(columns.toRegions()).toEqual(toRegions(mask));
        }
      }),
    );
  });
});

describe('bitmaps', () => {
  it('give area and tight box', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        const on = pixels(mask);
        const found: [number, number][] = [];
        for (let x = 0; x < mask.width; x++)
          for (let y = 0; y < mask.height; y++) if (on(x, y)) found.push([x, y]);
        expect(area(mask)).toBe(found.length);
        if (found.length === 0) {
          expect(boundingBox(mask)).toEqual([0, 0, 0, 0]);
          return;
        }
        const xs = found.map(([x]) => x);
        const ys = found.map(([, y]) => y);
        const [left, top] = [Math.min(...xs), Math.min(...ys)];
        expect(boundingBox(mask)).toEqual([left, top, Math.max(...xs) - left + 1, Math.max(...ys) - top + 1]);
      }),
    );
  });

  it('take a pixel of an image as foreground when it is at least half opaque', () => {
    const data = Uint8ClampedArray.of(255, 0, 0, 127, 0, 0, 0, 128);
    expect(equals(fromRgba({ data, height: 1, width: 2 }), drawn('.#'))).toBe(true);
  });

  it('are packed with the first pixel in the highest bit', () => {
    expect(toPackedBits(drawn('#..#.....#'))).toEqual(Uint8Array.of(0b10010000, 0b01000000));
  });

  it.each([
    ['too few bytes', () => fromBitmap(new Uint8Array(5), 2, 3)],
    ['too many packed bytes', () => fromPackedBits(new Uint8Array(2), 2, 3)],
    ['bits behind the last pixel', () => fromPackedBits([0b00000001], 1, 7)],
    ['bytes that are not RGBA', () => fromRgba({ data: new Uint8Array(6), height: 2, width: 3 })],
  ])('are refused with %s', (_, read) => {
    expect(read).toThrow(expect.objectContaining({ code: 'bad-bitmap' }));
  });

  it('of another size are not drawn on a canvas', () => {
    expect(() => new MaskCanvas(2, 3).draw(drawn('##'))).toThrow(
      expect.objectContaining({ code: 'size-mismatch' }),
    );
  });
});

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
