import { describe, expect, it } from 'vitest';
import { format as apmCityscapes } from '@/lib/core/formats/apm-cityscapes';
import { format as apmPascal } from '@/lib/core/formats/apm-pascal-part';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import type { DatasetImage, ObjectLabel } from '@/lib/core/formats/dataset';
import { deriveLabels, groupParts } from '@/lib/core/formats/derive';
import { boundingBox, fromBitmap, type Mask } from '@/lib/core/mask';
import { datasetOf, sceneDataset, written } from '../../../support/formats';
import { imagesOf } from '../support/visible';

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
