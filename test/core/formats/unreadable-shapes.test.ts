import { describe, expect, it } from 'vitest';
import { format as coco } from '@/lib/core/formats/coco';
import { format as cvat } from '@/lib/core/formats/cvat';
import { maskOfRuns } from '@/lib/core/formats/cvat/read';
import { format as datumaro } from '@/lib/core/formats/datumaro';
import { format as labelStudio } from '@/lib/core/formats/label-studio';
import { decodeBrush, encodeBrush } from '@/lib/core/formats/label-studio/brush';
import { format as labelme } from '@/lib/core/formats/labelme';
import { format as partImageNet } from '@/lib/core/formats/part-imagenet';
import { groupByObject, importProvenance } from '@/lib/core/formats/shared/annotations';
import { parsePolygons, parseSize } from '@/lib/core/formats/shared/segmentation';
import { area, emptyMask, equals, rasterizeBox, toBitmap } from '@/lib/core/mask';
import { readBack, sceneDataset, written } from '../../support/formats';
import { handmade, readAllImages, ringAndDot, tinyPng } from './support/dataset-files';

describe('shapes that cannot be read are left out and told', () => {
  it('LabelMe: boxes, unknown sizes, crops outside of the picture, PNGs that are none', async () => {
    const shape = {
      label: 'dog',
      shape_type: 'mask',
      points: [
        [0, 0],
        [1, 1],
      ],
    };
    const { images, notes } = await readAllImages(
      labelme,
      handmade({
        'a.png': tinyPng,
        'a.json': {
          imagePath: 'a.png',
          imageWidth: 4,
          imageHeight: 3,
          shapes: [
            {
              label: 'dog',
              points: [
                [0, 0],
                [2, 0],
                [2, 2],
                [0, 2],
              ],
              shape_type: 'polygon',
              group_id: 1,
            },
            {
              label: 'dog',
              points: [
                [3, 2],
                [4, 2],
                [4, 3],
                [3, 3],
              ],
              shape_type: 'polygon',
              group_id: 1,
            },
            {
              label: 'dog',
              points: [
                [0, 0],
                [2, 2],
              ],
              shape_type: 'rectangle',
            },
            { ...shape, mask: 'AAAA' },
            { ...shape, mask: '!!' },
            { ...shape, points: 'x', mask: 'AAAA' },
            {
              label: 'dog',
              points: [
                [0, 0],
                [1e9, 0],
                [1, 1],
              ],
              shape_type: 'polygon',
            },
            {},
          ],
        },
        'b.json': { imagePath: '../../a.png.exe', shapes: [] },
        'c.json': '{"deep":'.repeat(50_000),
      }),
    );
    expect(images).toHaveLength(1);
    expect(images[0]?.objects.map(({ outline }) => outline && area(outline.mask))).toEqual([5]);
    expect(notes).toMatch(
      /rectangle[\s\S]*no PNG[\s\S]*no letter[\s\S]*no pixels[\s\S]*cannot be meant[\s\S]*without a label/,
    );
  });

  it('Label Studio: percent of the sides, turned pictures, boxes', async () => {
    const base = { original_width: 4, original_height: 3, image_rotation: 0, type: 'polygonlabels' };
    const points = [
      [0, 0],
      [50, 0],
      [50, 66.6667],
      [0, 66.6667],
    ];
    const { images, notes } = await readAllImages(
      labelStudio,
      handmade({
        'up/1a2b3c4d-a.png': tinyPng,
        'export.json': [
          {
            id: 1,
            data: { image: '/data/upload/1/1a2b3c4d-a.png' },
            annotations: [
              {
                result: [
                  { ...base, value: { points, polygonlabels: ['dog'] } },
                  { ...base, image_rotation: 90, value: { points, polygonlabels: ['dog'] } },
                  {
                    ...base,
                    type: 'rectanglelabels',
                    value: { x: 1, y: 1, width: 2, height: 2, rectanglelabels: ['dog'] },
                  },
                  { ...base, value: { points: 'x', polygonlabels: ['dog'] } },
                ],
              },
            ],
          },
        ],
      }),
    );
    expect(images[0]?.objects.map(({ outline }) => outline && area(outline.mask))).toEqual([4]);
    expect(notes).toMatch(/turned[\s\S]*rectanglelabels[\s\S]*neither points nor runs/);
  });

  it('Label Studio before 1.0: completions', async () => {
    const result = [
      {
        original_width: 4,
        original_height: 3,
        type: 'polygonlabels',
        value: {
          points: [
            [0, 0],
            [50, 0],
            [50, 66.6667],
            [0, 66.6667],
          ],
          polygonlabels: ['dog'],
        },
      },
    ];
    const tasks = [{ id: 1, data: { image: 'a.png' }, completions: [{ result }] }];
    const litter = Object.fromEntries([...Array(60).keys()].map((i) => [`${10 + i}.json`, {}]));
    const { images } = await readAllImages(
      labelStudio,
      handmade({ ...litter, 'x.json': tasks, 'a.png': tinyPng }),
    );
    expect(images[0]?.objects.map(({ className }) => className)).toEqual(['dog']);
  });

  it('CVAT and Datumaro: shapes that are no masks, and labels that are not listed', async () => {
    const xml = `<annotations><version>1.1</version><meta/><image id="0" name="a.png" width="4" height="3">
      <polygon label="dog" points="0,0;2,0;2,2;0,2"/><box label="dog" xtl="0" ytl="0" xbr="1" ybr="1"/>
      <polygon label="dog" points="0,0;1e9,0;1,1"/><mask label="dog" rle="1,2" left="0" top="0" width="9" height="9"/>
      </image><image id="1" name="b.png" width="4" height="3"/></annotations>`;
    const first = await readAllImages(cvat, handmade({ 'annotations.xml': xml, 'a.png': tinyPng }));
    expect(first.images.map(({ objects }) => objects.length)).toEqual([1]);
    expect(first.notes).toMatch(/<box>[\s\S]*cannot be meant[\s\S]*outside[\s\S]*picture is not there/);
    const rle = { counts: [12], size: [3, 4] };
    const second = await readAllImages(
      datumaro,
      handmade({
        'images/default/a.png': tinyPng,
        'annotations/default.json': {
          categories: { label: { labels: [{ name: 'dog', parent: '' }] } },
          items: [
            {
              id: 'a',
              image: { path: 'a.png', size: [3, 4] },
              annotations: [
                { type: 'polygon', label_id: 0, points: [0, 0, 2, 0, 2, 2, 0, 2], group: 0 },
                { type: 'mask', label_id: 7, rle },
                { type: 'bbox', label_id: 0, bbox: [0, 0, 1, 1] },
                { type: 'mask', label_id: 0, rle: { ...rle, counts: [5] } },
              ],
            },
          ],
        },
      }),
    );
    expect(second.images[0]).toMatchObject({ className: 'dog', split: null });
    expect(second.notes).toMatch(/not listed[\s\S]*bbox[\s\S]*do not add up/);
  });
});

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
    expect(() => parsePolygons([zigzag(2000)], { width: 4, height: 3 })).toThrow(/longer than any drawing/);
  });

  it('are refused when there are many on one picture, and the next picture is read', () => {
    const [first, next] = [
      { width: 4, height: 3 },
      { width: 4, height: 3 },
    ];
    const ring = zigzag(90);
    const draw = (size: typeof first) => {
      for (let count = 0; count < 5000; count++) parsePolygons([ring], size);
    };
    expect(() => draw(first)).toThrow(/more outlines than a picture can have/);
    expect(area(parsePolygons([[0, 0, 2, 0, 2, 2, 0, 2]], next))).toBe(4);
  });
});

it('a size beyond the largest picture that can be brought in is no size', () => {
  expect(parseSize(10_000, 10_000)).toEqual({ width: 10_000, height: 10_000 });
  expect(parseSize(10_001, 10_000)).toBeNull();
  expect(parseSize(4n, 3n)).toEqual({ width: 4, height: 3 });
});

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
  const thing = { ...importProvenance, instance: 1 };
  const { objects, attributeMasks } = groupByObject([
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
