import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  area,
  boundingBox,
  cocoIou,
  encodeCounts,
  fromBitmap,
  intersection,
  type Mask,
  rasterizePolygons,
  union,
} from '@/lib/core/mask';
import { chooseKernel, type Kernel, kernel } from '@/lib/core/mask/kernel';
import { plainKernel } from '@/lib/core/mask/kernel/plain';
import { createWasmKernel } from '@/lib/core/mask/kernel/wasm';
import {
  BITMAPS,
  bitmapCase,
  LONG_RINGS,
  longRingCase,
  PAIRS,
  POLYGONS,
  pairCase,
  polygonCase,
} from './cases';

const fixture: Record<'polygons' | 'bitmaps' | 'pairs', string> = JSON.parse(
  readFileSync(new URL('../../fixtures/mask/pycocotools.json', import.meta.url), 'utf8'),
);

function hashes(field: keyof typeof fixture): Uint32Array {
  const bytes = Uint8Array.from(Buffer.from(fixture[field], 'base64'));
  return new Uint32Array(bytes.buffer);
}

function fnv1a(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

function described(mask: Mask): string {
  return `${encodeCounts(mask)} ${area(mask)} ${boundingBox(mask).join(',')}`;
}

function double(value: number): string {
  return Buffer.from(new Float64Array([value]).buffer)
    .reverse()
    .toString('hex');
}

function differing(expected: Uint32Array, describeCase: (i: number) => string): number[] {
  const wrong: number[] = [];
  for (let i = 0; i < expected.length; i++) if (fnv1a(describeCase(i)) !== expected[i]) wrong.push(i);
  return wrong;
}

const wasm = createWasmKernel() as Kernel;
const initial = kernel();

it('is computed by WebAssembly wherever that can run', () => {
  expect(initial.name).toBe('wasm');
});

describe.each([plainKernel, wasm])('what pycocotools answers, by the $name path,', (path) => {
  beforeAll(() => chooseKernel(path));
  afterAll(() => chooseKernel(initial));

  it('is what 20,000 polygons of every kind, and rings of up to 100,000 points, give here', () => {
    const expected = hashes('polygons');
    expect(expected).toHaveLength(POLYGONS + LONG_RINGS.length);
    const wrong = differing(expected, (i) => {
      const { ring, height, width } =
        i < POLYGONS ? polygonCase(i) : longRingCase(LONG_RINGS[i - POLYGONS] as number);
      return described(rasterizePolygons([ring], height, width));
    });
    expect(wrong).toEqual([]);
  });

  it('is what 5,000 bitmaps give here', () => {
    const expected = hashes('bitmaps');
    expect(expected).toHaveLength(BITMAPS);
    const wrong = differing(expected, (i) => {
      const { bytes, height, width } = bitmapCase(i);
      return described(fromBitmap(bytes, height, width));
    });
    expect(wrong).toEqual([]);
  });

  it('is what union, intersection, IoU and crowd IoU of 2,000 pairs give here, to the last bit', () => {
    const expected = hashes('pairs');
    expect(expected).toHaveLength(PAIRS);
    const wrong = differing(expected, (i) => {
      const { objects, height, width } = pairCase(i);
      const [a, b] = objects.map((rings) => rasterizePolygons(rings, height, width)) as [Mask, Mask];
      const strings = `${encodeCounts(union(a, b))} ${encodeCounts(intersection(a, b))}`;
      return `${strings} ${double(cocoIou(a, b))} ${double(cocoIou(a, b, true))}`;
    });
    expect(wrong).toEqual([]);
  });
});
