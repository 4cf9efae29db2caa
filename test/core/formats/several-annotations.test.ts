import { expect, it } from 'vitest';
import { format as coco } from '@/lib/core/formats/coco';
import { gather, imported } from '@/lib/core/formats/general/things';
import { format as partImageNet } from '@/lib/core/formats/part-imagenet';
import { area, emptyMask, rasterizeBox } from '@/lib/core/mask';
import { readBack, sceneDataset, written } from '../../support/formats';

const square = (x: number) => [[x, 10, x + 5, 10, x + 5, 15, x, 15]];

it('four tyres of a car are one part with the pixels of all four', async () => {
  const dataset = await sceneDataset('part-imagenet', 1, { classNames: ['Car'], splits: ['train'] });
  for (const [format, path] of [
    [partImageNet, 'train.json'],
    [coco, 'annotations/instances_train.json'],
  ] as const) {
    const files = await written(format, dataset);
    const document = JSON.parse(new TextDecoder().decode(files.get(path)));
    const tyre = document.categories.find(({ name }: { name: string }) => name === 'Car Tier');
    const [{ id: image_id }] = document.images;
    document.annotations = [10, 20, 30, 40].map((x) => ({
      id: x,
      image_id,
      category_id: tyre.id,
      segmentation: square(x),
      bbox: [x, 10, 5, 5],
      area: 25,
      iscrowd: 0,
    }));
    files.set(path, new TextEncoder().encode(JSON.stringify(document)));
    const [image] = (await readBack(format, files)).images;
    const parts = image?.objects.flatMap((object) => object.parts) ?? [];
    expect(parts.map(({ id, mask }) => [id, area(mask)])).toEqual([['Car Tier', 100]]);
  }
});

it('several masks of one object or attribute are one, no surer than the least sure', () => {
  const box = (x: number) => rasterizeBox([x, 0, 2, 2], 10, 20);
  const thing = { ...imported, instance: 1 };
  const { objects, attributeMasks } = gather([
    { ...thing, kind: 'object', id: 'dog', mask: box(0) },
    { ...thing, kind: 'object', id: 'dog', mask: box(4), confidence: 0.5 },
    { ...thing, kind: 'attribute', id: 'ears', instance: 0, mask: box(0) },
    { ...thing, kind: 'attribute', id: 'ears', instance: 0, mask: box(1) },
    // Of another size: nothing to put together.
    { ...thing, kind: 'part', id: 'head', mask: box(0) },
    { ...thing, kind: 'part', id: 'head', mask: emptyMask(5, 5) },
  ]);
  expect(objects).toHaveLength(1);
  expect(objects[0]?.outline).toMatchObject({ confidence: 0.5 });
  expect(area(objects[0]?.outline?.mask as never)).toBe(8);
  expect(attributeMasks.map(({ id, mask }) => [id, area(mask)])).toEqual([['ears', 6]]);
  expect(objects[0]?.parts).toHaveLength(2);
});
