import { describe, expect, it } from 'vitest';
import { format as cvat } from '@/lib/core/formats/cvat';
import { format as datumaro } from '@/lib/core/formats/datumaro';
import { format as labelStudio } from '@/lib/core/formats/label-studio';
import { format as labelme } from '@/lib/core/formats/labelme';
import { area } from '@/lib/core/mask';
import { handmade, tinyPng } from './support/content';
import { readAllImages } from './support/read-all';

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
