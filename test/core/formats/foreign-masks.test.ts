import { describe, expect, it } from 'vitest';
import { maskOfRuns } from '@/lib/core/formats/cvat/runs';
import { readPolygons, readSize } from '@/lib/core/formats/general/segmentation';
import { decodeBrush, encodeBrush } from '@/lib/core/formats/label-studio/brush';
import { area, equals, toBitmap } from '@/lib/core/mask';
import { ringAndDot } from './support/datasets';

describe('masks of other tools', () => {
  it('CVAT’s runs go row by row within their box', () => {
    const mask = maskOfRuns('1, 2, 3', { left: 1, top: 1, width: 3, height: 2 }, { width: 5, height: 4 });
    expect([...toBitmap(mask)].join('')).toBe('00000' + '00110' + '00000' + '00000');
    const box = { left: 1, top: 1, width: 3, height: 2 };
    for (const runs of ['1,2', '1,2,4', '-1,7', 'x', ''])
      expect(() => maskOfRuns(runs, box, { width: 5, height: 4 })).toThrow(/do not add up/);
    expect(() => maskOfRuns('6', { ...box, left: 3 }, { width: 5, height: 4 })).toThrow(/outside/);
    expect(() => maskOfRuns('6', { ...box, width: 1e9 }, { width: 5, height: 4 })).toThrow(/outside/);
  });

  it('Label Studio’s brush is what its converter writes', () => {
    // 2 × 2, only the last pixel: 12 zero samples and 4 of 255, both as runs of the kinds of 4 and 3 bits.
    const mask = decodeBrush([...encodeBrush(ringAndDot(72, 96))], 72, 96);
    expect(equals(mask, ringAndDot(72, 96))).toBe(true);
    const bits = `${(16).toString(2).padStart(32, '0')}00111${'0010'}${'0011'}${'0111'}${'1111'}1${'01'}${'1011'}${'00000000'}1${'00'}${'011'}${'11111111'}`;
    const bytes =
      bits
        .padEnd(Math.ceil(bits.length / 8) * 8, '0')
        .match(/.{8}/g)
        ?.map((byte) => Number.parseInt(byte, 2)) ?? [];
    const last = decodeBrush(bytes, 2, 2);
    expect([...toBitmap(last)]).toEqual([0, 0, 0, 1]);
    expect([...encodeBrush(last)]).toEqual(bytes);
    expect(() => decodeBrush(bytes, 2, 3)).toThrow(/another size/);
    expect(() => decodeBrush(bytes.slice(0, 8), 2, 2)).toThrow(/cut off/);
    expect(() => decodeBrush([1e9, 'x'], 2, 2)).toThrow(/no bytes/);
  });
});

describe('polygons that would take for ever to fill', () => {
  const zigzag = (points: number) =>
    Array.from({ length: points }, (_, i) => [i % 2 ? 99_999 : 0, i % 4]).flat();

  it('are refused one by one', () => {
    expect(() => readPolygons([zigzag(2000)], { width: 4, height: 3 })).toThrow(/longer than any drawing/);
  });

  it('are refused when there are many on one picture, and the next picture is read', () => {
    const [first, next] = [
      { width: 4, height: 3 },
      { width: 4, height: 3 },
    ];
    const ring = zigzag(90);
    const draw = (size: typeof first) => {
      for (let count = 0; count < 5000; count++) readPolygons([ring], size);
    };
    expect(() => draw(first)).toThrow(/more outlines than a picture can have/);
    expect(area(readPolygons([[0, 0, 2, 0, 2, 2, 0, 2]], next))).toBe(4);
  });
});

it('a size beyond the largest picture that can be brought in is no size', () => {
  expect(readSize(10_000, 10_000)).toEqual({ width: 10_000, height: 10_000 });
  expect(readSize(10_001, 10_000)).toBeNull();
  expect(readSize(4n, 3n)).toEqual({ width: 4, height: 3 });
});
