import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/formats';
import { format as cvat } from '@/lib/formats/cvat';
import { maskOfRuns } from '@/lib/formats/cvat/runs';
import { format as datumaro } from '@/lib/formats/datumaro';
import type { Format, SourceTree } from '@/lib/formats/format';
import { foreignSchema } from '@/lib/formats/general/foreign-schema';
import { readSize } from '@/lib/formats/general/segmentation';
import { format as labelStudio } from '@/lib/formats/label-studio';
import { decodeBrush, encodeBrush } from '@/lib/formats/label-studio/brush';
import { format as labelme } from '@/lib/formats/labelme';
import { readCsv } from '@/lib/formats/markup/csv';
import { escapeXml, readXml } from '@/lib/formats/markup/xml';
import { readYaml } from '@/lib/formats/markup/yaml';
import { readTar, tarMember } from '@/lib/formats/webdataset/tar';
import { area, equals, toBitmap } from '@/lib/mask';
import { treeOf, written } from '../support/formats';
import { handmade, tinyPng } from './support/content';
import { partDataset, ringAndDot } from './support/datasets';

async function all(format: Format, tree: SourceTree) {
  const source = await format.reader?.read(tree);
  const images = [];
  for await (const image of source?.images() ?? []) images.push(image);
  return { images, notes: (source?.notes ?? []).join('\n') };
}

describe('XML', () => {
  it.each([
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /DOCTYPE/],
    ['an entity of its own', '<a>&lol;</a>', /no entity/],
    ['a tag that is cut off', '<a b="', /cut off/],
    ['a wrong end', '<a><b></a></b>', /closes nothing/],
    ['no end', '<a><b></b>', /never closed/],
    ['too much within each other', '<a>'.repeat(1000), /more than 64/],
    ['attributes without quotes', '<a b=c></a>', /attributes/],
    ['a character that is none', '<a>&#0;</a>', /no character/],
  ])('with %s is refused', (_, text, why) => {
    expect(() => [...readXml(text)]).toThrow(why);
  });

  it('gives back any text that was escaped', () => {
    for (const text of ['<&>"\'', 'a\n\tb\r', 'ä 犬 🐕', ']]>', '&amp;']) {
      const [open, inside] = [...readXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`)];
      expect(open).toMatchObject({ attributes: { b: text } });
      expect(inside).toMatchObject({ text });
    }
  });
});

it('tables and YAML give back quotes, commas and line ends', () => {
  const csv = 'a,b\r\n"x, ""y""","1\n2"\n\nplain,\n';
  expect([...readCsv(csv)]).toEqual([
    { a: 'x, "y"', b: '1\n2' },
    { a: 'plain', b: '' },
  ]);
  expect(() => [...readCsv('a\n"open')]).toThrow(/within quotes/);
  const names = { '0': 'a: b', '1': "it's" };
  expect(readYaml("path: . # here\nnames:\n  0: \"a: b\"\n  1: 'it''s'\n")).toMatchObject({
    path: '.',
    names,
  });
  expect(readYaml('names: [dog, "a, b"]\n').names).toEqual(['dog', 'a, b']);
  expect(readYaml('names:\n- dog\n- cat\n').names).toEqual(['dog', 'cat']);
  expect(readYaml('"train": "images/train"\n\'a b\' : c\nno:pair\n')).toEqual({
    train: 'images/train',
    'a b': 'c',
  });
});

it('YAML with a line or a text without end is refused', () => {
  expect(() => readYaml(`a${' '.repeat(300_000)}`)).toThrow(/a line of more than/);
  expect(() => readYaml('a: b\n'.repeat(2_000_000))).toThrow(/larger than 8 MB/);
});

it('a list of more labels than a schema holds is refused, however long', () => {
  const labels = Array.from({ length: 300_000 }, (_, i) => ({ name: `#${i}` }));
  expect(() => foreignSchema('a.json', labels)).toThrow(/has 300000 classes; a schema can hold/);
  expect(
    foreignSchema(
      'a.json',
      [...Array(300_000)].map(() => ({ name: 'dog' })),
    ).schema.classes,
  ).toHaveLength(1);
});

it('a size beyond the largest picture that can be brought in is no size', () => {
  expect(readSize(10_000, 10_000)).toEqual({ width: 10_000, height: 10_000 });
  expect(readSize(10_001, 10_000)).toBeNull();
  expect(readSize(4n, 3n)).toEqual({ width: 4, height: 3 });
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
    const mask = decodeBrush(encodeBrush(ringAndDot(72, 96)), 72, 96);
    expect(equals(mask, ringAndDot(72, 96))).toBe(true);
    const bits = `${(16).toString(2).padStart(32, '0')}00111${'0010'}${'0011'}${'0111'}${'1111'}1${'01'}${'1011'}${'00000000'}1${'00'}${'011'}${'11111111'}`;
    const bytes =
      bits
        .padEnd(Math.ceil(bits.length / 8) * 8, '0')
        .match(/.{8}/g)
        ?.map((byte) => Number.parseInt(byte, 2)) ?? [];
    const last = decodeBrush(bytes, 2, 2);
    expect([...toBitmap(last)]).toEqual([0, 0, 0, 1]);
    expect(encodeBrush(last)).toEqual(bytes);
    expect(() => decodeBrush(bytes, 2, 3)).toThrow(/another size/);
    expect(() => decodeBrush(bytes.slice(0, 8), 2, 2)).toThrow(/cut off/);
    expect(() => decodeBrush([1e9, 'x'], 2, 2)).toThrow(/no bytes/);
  });
});

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
    const { images, notes } = await all(
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
    const { images, notes } = await all(
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
    const { images } = await all(labelStudio, handmade({ ...litter, 'x.json': tasks, 'a.png': tinyPng }));
    expect(images[0]?.objects.map(({ className }) => className)).toEqual(['dog']);
  });

  it('CVAT and Datumaro: shapes that are no masks, and labels that are not listed', async () => {
    const xml = `<annotations><version>1.1</version><meta/><image id="0" name="a.png" width="4" height="3">
      <polygon label="dog" points="0,0;2,0;2,2;0,2"/><box label="dog" xtl="0" ytl="0" xbr="1" ybr="1"/>
      <polygon label="dog" points="0,0;1e9,0;1,1"/><mask label="dog" rle="1,2" left="0" top="0" width="9" height="9"/>
      </image><image id="1" name="b.png" width="4" height="3"/></annotations>`;
    const first = await all(cvat, handmade({ 'annotations.xml': xml, 'a.png': tinyPng }));
    expect(first.images.map(({ objects }) => objects.length)).toEqual([1]);
    expect(first.notes).toMatch(/<box>[\s\S]*cannot be meant[\s\S]*outside[\s\S]*picture is not there/);
    const rle = { counts: [12], size: [3, 4] };
    const second = await all(
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

describe('tar', () => {
  it('gives back names and bytes, however long and in whatever script', () => {
    const members = [
      { name: 'a.jpg', bytes: new Uint8Array(513).fill(7) },
      { name: `${'犬'.repeat(60)}.json`, bytes: new Uint8Array(0) },
      { name: `${'x'.repeat(150)}.cls`, bytes: Uint8Array.of(1) },
    ];
    const tar = Buffer.concat(members.flatMap(({ name, bytes }) => [...tarMember(name, bytes)]));
    expect(tar.length % 512).toBe(0);
    const back = [...readTar(tar)].map(({ name, bytes }) => ({ name, bytes: Uint8Array.from(bytes) }));
    expect(back).toEqual(members);
    expect(() => [...readTar(tar.subarray(0, 600))]).toThrow(/cut off/);
    expect(() => [...readTar(Buffer.alloc(1024, 'x'))]).toThrow(/add up/);
  });
});

describe('every reader', () => {
  it.each(formats.filter(({ reader }) => reader).map((format) => [format.id, format] as const))(
    '%s meets cut off files with an error or a note, and guesses nothing about litter',
    async (_, format) => {
      const litter = handmade({
        'a.json': '{',
        'annotations/x.json': '[[[',
        'b.xml': '<a',
        'c.tar': 'x',
        'd.parquet': 'PAR1',
        'data.yaml': ':',
        'masks.csv': '"',
        'Annotations/e.xml': '',
      });
      expect(await format.reader?.detect(litter).catch((error: Error) => error.message)).toBeNull();
      if (format.kind !== 'general') return;
      const files = await written(format, await partDataset());
      const cut = new Map([...files].map(([name, bytes]) => [name, bytes.subarray(0, bytes.length >> 1)]));
      cut.set('tessera-schema.json', files.get('tessera-schema.json') as Uint8Array);
      const outcome = await all(format, treeOf(cut)).then(
        ({ images, notes }) => (images.every(({ objects }) => objects.length === 0) ? 'nothing' : notes),
        (error: Error) => error.message,
      );
      expect(outcome).not.toBe('');
    },
  );
});
