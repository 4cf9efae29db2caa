import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  components,
  dilate,
  equals,
  erode,
  fillHoles,
  innerBoundary,
  merge,
  removeSpecks,
} from '@/lib/core/mask';
import { anyMask, drawing, drawn, paint, pixels } from './arbitrary';

const anyRadius = fc.integer({ min: 0, max: 20 }).map((n) => n / 4);

describe('growing and shrinking', () => {
  it('dilation adds what lies within the radius of foreground', () => {
    fc.assert(
      fc.property(anyMask, anyRadius, (mask, radius) => {
        const on = pixels(mask);
        const expected = paint(mask.height, mask.width, (x, y) =>
          near(radius, (dx, dy) => on(x + dx, y + dy)),
        );
        expect(drawing(dilate(mask, radius))).toEqual(drawing(expected));
      }),
    );
  });

  it('erosion keeps what has no background within the radius, the outside being background', () => {
    fc.assert(
      fc.property(anyMask, anyRadius, (mask, radius) => {
        const on = pixels(mask);
        const expected = paint(
          mask.height,
          mask.width,
          (x, y) => !near(radius, (dx, dy) => !on(x + dx, y + dy)),
        );
        expect(drawing(erode(mask, radius))).toEqual(drawing(expected));
      }),
    );
  });

  it('the inner boundary is the outermost layer of foreground', () => {
    expect(drawing(innerBoundary(drawn('.....', '.###.', '.###.', '.####', '.....')))).toEqual([
      '.....',
      '.###.',
      '.#.#.',
      '.####',
      '.....',
    ]);
  });

  it('refuses a negative radius', () => {
    expect(() => dilate(drawn('#'), -1)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    expect(() => erode(drawn('#'), Number.NaN)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});

function near(radius: number, hit: (dx: number, dy: number) => boolean): boolean {
  const reach = Math.floor(radius);
  for (let dx = -reach; dx <= reach; dx++)
    for (let dy = -reach; dy <= reach; dy++)
      if (dx * dx + dy * dy <= radius * radius && hit(dx, dy)) return true;
  return false;
}

describe('connected parts', () => {
  const diagonal = drawn('##...', '..#..', '....#', '#...#');

  it('hold together by sides, or by corners too', () => {
    expect(components(diagonal, 4).map(drawing)).toEqual([
      ['##...', '.....', '.....', '.....'],
      ['.....', '.....', '.....', '#....'],
      ['.....', '..#..', '.....', '.....'],
      ['.....', '.....', '....#', '....#'],
    ]);
    expect(components(diagonal, 8)).toHaveLength(3);
  });

  it('are the parts a flood fill finds, and together make up the mask', () => {
    fc.assert(
      fc.property(anyMask, fc.constantFrom(4 as const, 8 as const), (mask, connectivity) => {
        const parts = components(mask, connectivity);
        expect(parts.length).toBe(floodCount(mask.height, mask.width, pixels(mask), connectivity));
        if (parts.length > 0) expect(equals(merge(parts), mask)).toBe(true);
      }),
    );
  });

  it('have their holes filled', () => {
    expect(drawing(fillHoles(drawn('####.', '#.#..', '##.#.', '##.#.')))).toEqual([
      '####.',
      '###..',
      '##.#.',
      '##.#.',
    ]);
    expect(drawing(fillHoles(drawn('###', '#.#', '###')))).toEqual(['###', '###', '###']);
  });

  it('are dropped when they are small', () => {
    expect(drawing(removeSpecks(diagonal, 2, 4))).toEqual(['##...', '.....', '....#', '....#']);
    expect(drawing(removeSpecks(diagonal, 3, 8))).toEqual(['##...', '..#..', '.....', '.....']);
    expect(() => removeSpecks(diagonal, Number.NaN, 4)).toThrow(
      expect.objectContaining({ code: 'bad-argument' }),
    );
    expect(() => components(diagonal, 6 as 4)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});

function floodCount(
  height: number,
  width: number,
  on: (x: number, y: number) => boolean,
  connectivity: 4 | 8,
): number {
  const seen = new Set<number>();
  let count = 0;
  for (let start = 0; start < height * width; start++) {
    if (seen.has(start) || !on(start % width, Math.floor(start / width))) continue;
    count++;
    const stack = [start];
    seen.add(start);
    while (stack.length > 0) {
      const p = stack.pop() as number;
      for (let dx = -1; dx <= 1; dx++)
        for (let dy = -1; dy <= 1; dy++) {
          if (connectivity === 4 && dx !== 0 && dy !== 0) continue;
          const x = (p % width) + dx;
          const y = Math.floor(p / width) + dy;
          if (!on(x, y) || seen.has(y * width + x)) continue;
          seen.add(y * width + x);
          stack.push(y * width + x);
        }
    }
  }
  return count;
}
