import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format as apmCityscapes } from '@/lib/core/formats/apm-cityscapes';
import { cutMap, paperCrops, streetCrops } from '@/lib/core/formats/apm-cityscapes/crops';
import { format as apmPascal } from '@/lib/core/formats/apm-pascal-part';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import type { DatasetImage, ObjectLabel } from '@/lib/core/formats/dataset';
import { boxMask, centroidOf, deriveLabels, groupParts } from '@/lib/core/formats/derive';
import {
  area,
  boundingBox,
  difference,
  equals,
  fromBitmap,
  type Mask,
  toBitmap,
  union,
} from '@/lib/core/mask';
import { DatasetSchema } from '@/lib/core/schema/types';
import { datasetOf, sceneDataset, written } from '@/test/support/formats';
import { imagesOf } from './support/dataset-files';

const mask = fc
  .record({ width: fc.integer({ min: 1, max: 20 }), height: fc.integer({ min: 1, max: 20 }) })
  .chain(({ width, height }) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height, max: 1 })
      .map((bytes) => fromBitmap(bytes, height, width)),
  );

describe('boxes', () => {
  it('are full, hold the mask, and have its box', () => {
    fc.assert(
      fc.property(mask, (given) => {
        const box = boxMask(given);
        const [, , width, height] = boundingBox(given);
        expect(boundingBox(box)).toEqual(boundingBox(given));
        expect(area(box)).toBe(width * height);
        expect(area(difference(given, box))).toBe(0);
        expect(equals(boxMask(box), box)).toBe(true);
      }),
    );
  });
});

describe('centroids and spreads', () => {
  it('are mean and deviation of the pixels', () => {
    fc.assert(
      fc.property(mask, (given) => {
        const points = [...toBitmap(given)].flatMap((bit, i) =>
          bit ? [[i % given.width, Math.floor(i / given.width)] as const] : [],
        );
        const found = centroidOf(given);
        if (points.length === 0) return void expect(found).toBeNull();
        const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
        const spread = (axis: 0 | 1) =>
          Math.sqrt(points.reduce((sum, point) => sum + (point[axis] - mean(axis)) ** 2, 0) / points.length);
        expect(found?.x).toBeCloseTo(mean(0), 6);
        expect(found?.y).toBeCloseTo(mean(1), 6);
        expect(found?.spreadX).toBeCloseTo(spread(0), 4);
        expect(found?.spreadY).toBeCloseTo(spread(1), 4);
      }),
    );
  });
});

describe('labels made from labels', () => {
  it('merges parts into objects, objects into foreground, with schemas that hold them', async () => {
    const dataset = await sceneDataset('cityscapes-parts', 3, { width: 160, height: 80 });
    const whole = (masks: readonly Mask[]) => masks.reduce(union);
    const originals = await imagesOf(dataset);
    const objects = deriveLabels(dataset, 'objects');
    expect(DatasetSchema.safeParse(objects.schema).success).toBe(true);
    for (const [i, image] of (await imagesOf(objects)).entries())
      image.objects.forEach((object, k) => {
        const parts = originals[i]?.objects[k]?.parts ?? [];
        expect(object.parts.map(({ id }) => id)).toEqual([`${object.className}:object`]);
        if (parts.length > 0)
          expect(equals(object.parts[0]?.mask as Mask, whole(parts.map((part) => part.mask)))).toBe(true);
      });
    const foreground = deriveLabels(dataset, 'foreground');
    expect(DatasetSchema.safeParse(foreground.schema).success).toBe(true);
    for (const [i, image] of (await imagesOf(foreground)).entries()) {
      expect(image.objects).toHaveLength(1);
      const all = whole(
        originals[i]?.objects.flatMap(({ outline }) => (outline ? [outline.mask] : [])) ?? [],
      );
      expect(equals(image.objects[0]?.parts[0]?.mask as Mask, all)).toBe(true);
    }
  });
});

describe('cuts of road users', () => {
  const width = 200;
  const height = 100;
  const street = (...boxes: [uid: number, x: number, y: number, w: number, h: number][]) => {
    const map = new Int32Array(width * height);
    for (const [uid, x, y, w, h] of boxes)
      for (let row = y; row < y + h; row++) map.fill(uid, row * width + x, row * width + x + w);
    return map;
  };
  const settings = { ...paperCrops, randomPad: false, pad: 0.1 };

  it('are squares around the object, padded, as the paper computes them', () => {
    // 41 × 31 pixels: sides of 40 and 30, padding 4; centred, 5 more above and below.
    const [crop] = streetCrops(street([26_001, 80, 30, 41, 31]), width, height, settings, 'a');
    expect(crop).toEqual({ sid: 26, iid: 1, frame: { x: 76, y: 21, width: 48, height: 48 } });
  });

  it('stay within a tenth around the picture', () => {
    const [crop] = streetCrops(street([26_001, 0, 0, 199, 99]), width, height, { ...settings, pad: 1 }, 'a');
    expect(crop?.frame).toEqual({ x: -20, y: -20, width: 240, height: 140 });
    const cut = cutMap(street([26_001, 0, 0, 199, 99]), width, height, crop?.frame as never);
    expect(cut[0]).toBe(0);
    expect(cut[20 * 240 + 20]).toBe(26_001);
  });

  it('by chance lie anywhere within twice the padding, the same each time for one picture', () => {
    const map = street([24_001, 90, 40, 41, 41]);
    const cut = (key: string) => streetCrops(map, width, height, paperCrops, key)[0]?.frame;
    expect(cut('a')).toEqual(cut('a'));
    const windows = Array.from({ length: 40 }, (_, i) => cut(`picture ${i}`));
    expect(new Set(windows.map((window) => window?.x)).size).toBeGreaterThan(5);
    for (const window of windows) {
      expect(window?.x).toBeLessThanOrEqual(90);
      expect(window?.x).toBeGreaterThanOrEqual(90 - 0.4 * 56);
    }
  });

  it('leave out what is small, what is hidden by the other kind, and instance 0', () => {
    expect(streetCrops(street([24_001, 0, 0, 31, 32]), width, height, settings, 'a')).toEqual([]);
    const hidden = street([26_001, 20, 20, 60, 40], [24_001, 30, 20, 30, 40]);
    expect(streetCrops(hidden, width, height, settings, 'a').map(({ sid }) => sid)).toEqual([24]);
    expect(streetCrops(street([26_000, 20, 20, 60, 40]), width, height, settings, 'a')).toEqual([]);
  });

  it('want every part in a piece of some size, unless parts may be missing', () => {
    const strict = { ...settings, allowMissingParts: false };
    const parts = [1, 2, 3, 4].map(
      (pid, i) => [2_400_100 + pid, 40 + 12 * i, 20, 12, 50] as [number, number, number, number, number],
    );
    expect(streetCrops(street(...parts), width, height, strict, 'a')).toHaveLength(1);
    expect(streetCrops(street(...parts.slice(0, 3)), width, height, strict, 'a')).toHaveLength(0);
    expect(streetCrops(street(...parts.slice(0, 3)), width, height, settings, 'a')).toHaveLength(1);
  });
});

const made = { source: 'generator', confidence: 1 } as const;

const maskWhere = ({ width, height }: DatasetImage, is: (x: number, y: number) => boolean): Mask =>
  fromBitmap(
    Uint8Array.from({ length: width * height }, (_, i) => (is(i % width, Math.floor(i / width)) ? 1 : 0)),
    height,
    width,
  );

const thing = (className: string, instance: number, part: string, mask: Mask): ObjectLabel => ({
  className,
  instance,
  outline: { ...made, mask },
  parts: [{ ...made, id: part, mask }],
  absent: [],
});

/** A thin slanted cat, whose box is nearly the picture, and a dog of more pixels in a corner. */
const catAndDog = (image: DatasetImage): DatasetImage => ({
  ...image,
  className: 'cat',
  objects: [
    thing(
      'cat',
      1,
      'cat:torso',
      maskWhere(image, (x, y) => Math.abs(x - y) < 2),
    ),
    thing(
      'dog',
      2,
      'dog:torso',
      maskWhere(image, (x, y) => x > 60 && y < 30),
    ),
  ],
});

describe('PASCAL images are of the class of their largest object', () => {
  const dataset = async () => {
    const scenes = await imagesOf(await sceneDataset('pascal-part', 3, { classNames: ['cat'] }));
    const { schema } = await sceneDataset('pascal-part', 1, { classNames: ['cat'] });
    return datasetOf(
      schema,
      scenes.map((image, i) => ({ ...catAndDog(image), split: ['train', 'val', 'test'][i] as string })),
    );
  };

  it('as drawn, where boxes are written', async () => {
    const [boxed] = await imagesOf(deriveLabels(await dataset(), 'boxes'));
    const grouped = groupParts(boxed as DatasetImage);
    expect(grouped?.className).toBe('dog');
    // The dog is painted last and keeps the pixels of its box; both are boxes.
    expect(grouped?.layers.map(({ value }) => value)).toEqual([12, 15]);
    expect(grouped?.layers.map(({ mask }) => boundingBox(mask))).toEqual(
      boxed?.objects.map(({ parts }) => boundingBox(parts[0]?.mask as Mask)),
    );
  });

  it('also where an image has its class only', async () => {
    const files = await written(apmPascal, await dataset(), { fraction: 0 });
    const [map, ...more] = [...files.keys()].filter((path) => /train\/.*\.tif$/.test(path));
    expect(more).toEqual([]);
    expect(map).toContain('/train/dog/');
    const { pixels } = await decodeTiff(files.get(map as string) as Uint8Array);
    expect(new Set(pixels)).toEqual(new Set([-1]));
  });
});

it('the same road users are cut out at the same places, whether parts or boxes are written', async () => {
  const dataset = await sceneDataset('cityscapes-parts', 6, {
    width: 320,
    height: 160,
    classNames: ['car', 'person'],
  });
  const options = { 'min-area': 400, 'allow-missing-parts': false };
  const parts = await written(apmCityscapes, dataset, { ...options, labels: 'parts' });
  const boxes = await written(apmCityscapes, dataset, { ...options, labels: 'boxes' });
  const maps = [...parts.keys()].filter((path) => path.endsWith('.tif'));
  expect(maps.length).toBeGreaterThan(3);
  expect([...boxes.keys()]).toEqual([...parts.keys()]);
  let differ = 0;
  for (const path of maps) {
    const [drawn, boxed] = await Promise.all(
      [parts, boxes].map((files) => decodeTiff(files.get(path) as Uint8Array)),
    );
    expect([boxed?.width, boxed?.height]).toEqual([drawn?.width, drawn?.height]);
    if (drawn?.pixels.some((value, i) => value !== boxed?.pixels[i])) differ += 1;
  }
  expect(differ).toBe(maps.length);
});
