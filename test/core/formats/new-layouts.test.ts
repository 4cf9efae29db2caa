import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import { format as ade20k } from '@/lib/core/formats/ade20k';
import { encodeLabelPng, encodeMaskPng } from '@/lib/core/formats/codecs/label-png';
import { decodePng } from '@/lib/core/formats/codecs/png';
import { decodeTiff, encodeTiff } from '@/lib/core/formats/codecs/tiff';
import type { Dataset, DatasetImage, MaskLabel, ObjectLabel } from '@/lib/core/formats/dataset';
import type { Format, SourceImage, SourceTree } from '@/lib/core/formats/format';
import { ade20kPart234Format, pascalPart116Format } from '@/lib/core/formats/ov-parts';
import { format as overlays } from '@/lib/core/formats/overlays';
import { format as paco } from '@/lib/core/formats/paco';
import { format as panopticParts } from '@/lib/core/formats/panoptic-parts';
import { format as partImagenetPp } from '@/lib/core/formats/part-imagenet-pp';
import { area, encodeCounts, fullMask, type Mask, merge, rasterizeBox } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { datasetOf, readBack, sceneDataset, treeOf, written } from '../../support/formats';
import { checked, handmade, imagesOf, jsonOf, readAllImages, textOf } from './support/dataset-files';

const [WIDTH, HEIGHT] = [96, 72];
const made = { source: 'generator', confidence: 1 } as const;
const box = (x: number, y: number, width: number, height: number): Mask =>
  rasterizeBox([x, y, width, height], HEIGHT, WIDTH);

function part(id: string, ...masks: Mask[]): MaskLabel {
  const label = { ...made, id, mask: merge(masks) };
  return masks.length > 1 ? { ...label, instances: masks } : label;
}

/** Cars with several wheels and a hub on a wheel, a person, a crowd of persons, a road and a sky. */
const schema: DatasetSchema = {
  id: 'street',
  name: 'Street',
  description: 'Objects with instances of parts, parts of parts, and stuff.',
  classes: [
    { id: 'car', name: 'Car' },
    { id: 'person', name: 'Person' },
    { id: 'road', name: 'Road', kind: 'stuff' },
    { id: 'sky', name: 'Sky', kind: 'stuff' },
  ],
  attributeGroups: [],
  attributes: [],
  parts: [
    { id: 'car:wheel', name: 'Wheel', classes: ['car'], zOrder: 1, colour: '#aa0000', numbered: true },
    {
      id: 'car:hub',
      name: 'Hub',
      classes: ['car'],
      zOrder: 3,
      colour: '#00aa00',
      parent: 'car:wheel',
      numbered: true,
    },
    { id: 'car:door', name: 'Door <left> & "right"', classes: ['car'], zOrder: 0, colour: '#0000aa' },
    { id: 'head', name: 'Head', classes: ['car', 'person'], zOrder: 2, colour: '#00aaaa' },
  ],
};

const object = (
  className: string,
  instance: number,
  outline: Mask | null,
  parts: MaskLabel[] = [],
  flags?: NonNullable<ObjectLabel['outline']>['flags'],
): ObjectLabel => ({
  className,
  instance,
  outline: outline && { ...made, mask: outline, ...(flags && { flags }) },
  parts,
  absent: [],
});

/** No two of the same level overlap, so that layouts with one label per pixel hold everything. */
const objects = (): ObjectLabel[] => [
  object('car', 1, box(4, 10, 40, 30), [
    part('car:wheel', box(6, 30, 8, 8), box(30, 30, 8, 8), box(18, 32, 6, 6)),
    part('car:hub', box(8, 32, 3, 3), box(32, 32, 3, 3)),
    part('car:door', box(16, 14, 12, 10)),
  ]),
  object('car', 2, box(50, 12, 20, 20), [part('car:wheel', box(52, 24, 5, 5))], ['occluded', 'truncated']),
  object('person', 3, box(74, 14, 8, 18), [part('head', box(76, 15, 4, 4))]),
  object('road', 4, box(0, 52, 96, 20)),
  object('sky', 5, box(0, 0, 96, 8)),
];

async function streetDataset(
  change: (image: DatasetImage) => DatasetImage = (image) => image,
): Promise<Dataset> {
  const scenes = await imagesOf(
    await sceneDataset('pascal-part', 2, { classNames: ['car'], splits: ['train', 'val'] }),
  );
  return datasetOf(
    schema,
    scenes.map((image) => change({ ...image, className: 'car', attributes: null, objects: objects() })),
    ['train', 'val'],
  );
}

const describeParts = (parts: readonly MaskLabel[]) =>
  parts
    .map(({ id, mask, instances }) => [id, encodeCounts(mask), instances?.map(encodeCounts).sort() ?? null])
    .sort();
const describeObjects = (list: readonly ObjectLabel[]) =>
  list
    .map(({ className, outline, parts }) => ({
      className,
      outline: outline && encodeCounts(outline.mask),
      parts: describeParts(parts),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const flagsOf = (list: readonly ObjectLabel[]) => list.map(({ outline }) => outline?.flags ?? []);

async function roundTrip(format: Format, dataset: Dataset, options = {}): Promise<SourceImage[]> {
  const { images, notes } = await readBack(format, await written(format, dataset, options));
  expect(notes).toEqual([]);
  return images;
}

describe('instances, parts of parts and stuff', () => {
  it.each([
    ['paco', paco],
    ['panoptic-parts', panopticParts],
    ['ade20k', ade20k],
  ] as const)('%s holds all of them, pixel by pixel', async (_, format) => {
    const images = await roundTrip(format, await streetDataset());
    expect(images.map(({ split }) => split).sort()).toEqual(['train', 'val']);
    for (const image of images)
      expect(describeObjects(image.objects)).toEqual(
        describeObjects(
          format === panopticParts
            ? // A pixel has one number: the hub is no longer a pixel of its wheel.
              image.objects.length === 5
              ? expectedOnMaps()
              : []
            : objects(),
        ),
      );
  });

  /** Hubs lie on wheels. */
  function expectedOnMaps(): ObjectLabel[] {
    return objects().map((each) => ({
      ...each,
      parts: each.parts.map((label) =>
        label.id === 'car:wheel' && each.instance === 1
          ? part(
              'car:wheel',
              cut(box(6, 30, 8, 8), box(8, 32, 3, 3)),
              cut(box(30, 30, 8, 8), box(32, 32, 3, 3)),
              box(18, 32, 6, 6),
            )
          : label,
      ),
    }));
  }

  it.each([
    ['paco', paco],
    ['ade20k', ade20k],
  ] as const)('%s holds the flags of an object', async (_, format) => {
    const [image] = await roundTrip(format, await streetDataset());
    expect(flagsOf(image?.objects ?? [])).toEqual([[], ['occluded', 'truncated'], [], [], []]);
  });

  it('crowds come back as crowds', async () => {
    const withCrowd = await streetDataset((image) => ({
      ...image,
      objects: image.objects.map((each) =>
        each.className === 'person' ? object('person', 3, box(74, 14, 8, 18), [], ['crowd']) : each,
      ),
    }));
    for (const format of [paco, panopticParts, ade20k]) {
      const [image] = await roundTrip(format, withCrowd);
      const crowd = image?.objects.find(({ className }) => className === 'person');
      expect(crowd?.outline?.flags).toEqual(['crowd']);
    }
  });

  it('ADE20K-Part-234 keeps objects of one class apart and says that it merges instances', async () => {
    const dataset = await streetDataset();
    const registered = formats.find(({ id }) => id === 'ade20k-part-234') as Format;
    expect((await checked(registered, dataset)).lost).toContain('4 labels have several instances');
    const [image] = await roundTrip(ade20kPart234Format, dataset);
    const cars = image?.objects.filter(({ className }) => className === 'car') ?? [];
    expect(cars.map(({ outline }) => outline && area(outline.mask))).toEqual([1200, 400]);
    expect(cars.map(({ parts }) => parts.map(({ id, mask }) => [id, area(mask)]).sort())).toEqual([
      [
        ['car:door', 120],
        ['car:hub', 18],
        ['car:wheel', 64 + 64 + 36 - 18],
      ],
      [['car:wheel', 25]],
    ]);
  });
});

function cut(mask: Mask, hole: Mask): Mask {
  const [a, b] = [mask, hole].map((each) => new Set(pixelsOf(each)));
  const rest = [...(a ?? [])].filter((pixel) => !b?.has(pixel));
  return merge(
    rest.map((pixel) => rasterizeBox([Math.floor(pixel / HEIGHT), pixel % HEIGHT, 1, 1], HEIGHT, WIDTH)),
  );
}

const pixelsOf = ({ toggles }: Mask): number[] => {
  const pixels: number[] = [];
  for (let i = 0; i + 1 < toggles.length; i += 2)
    for (let at = toggles[i] as number; at < (toggles[i + 1] as number); at++) pixels.push(at);
  return pixels;
};

describe('recognition', () => {
  it('every export is recognized as its own format', async () => {
    const dataset = await sceneDataset('part-imagenet', 6, { classNames: ['Car', 'Bird'] });
    const street = await streetDataset();
    const newOnes = [paco, panopticParts, ade20k, pascalPart116Format, ade20kPart234Format, partImagenetPp];
    const others = formats.filter((format) => format.kind === 'general' && format.reader);
    for (const format of [...newOnes, ...others]) {
      const tree = treeOf(await written(format, newOnes.includes(format) ? street : dataset));
      expect([format.id, await mostLikely(tree)]).toEqual([format.id, format.id]);
    }
  });

  async function mostLikely(tree: SourceTree): Promise<string | undefined> {
    const guesses: { id: string; certainty: number }[] = [];
    for (const { id, reader } of formats) {
      const found = await reader?.detect(tree).catch(() => null);
      if (found) guesses.push({ id, certainty: found.certainty });
    }
    return guesses.sort((a, b) => b.certainty - a.certainty)[0]?.id;
  }
});

const tiny = fullMask(3, 4);
const jpg = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);
const rle = (mask: Mask) => ({ size: [3, 4], counts: encodeCounts(mask) });
const dot = (x: number, y: number, width = 1, height = 1) => rasterizeBox([x, y, width, height], 3, 4);

describe('PACO', () => {
  it('of the release: parts of the same name are one part, attributes come from the largest object', async () => {
    const tree = handmade({
      'paco_lvis_v1_val.json': {
        images: [{ id: 7, file_name: 'val2017/000000000007.jpg', width: 4, height: 3 }],
        annotations: [
          {
            id: 1,
            obj_ann_id: 1,
            image_id: 7,
            category_id: 1,
            segmentation: rle(tiny),
            area: 12,
            attribute_ids: [0, 2],
          },
          {
            id: 2,
            obj_ann_id: 1,
            image_id: 7,
            category_id: 3,
            segmentation: rle(dot(0, 0)),
            area: 1,
            attribute_ids: [1],
          },
          {
            id: 3,
            obj_ann_id: 1,
            image_id: 7,
            category_id: 3,
            segmentation: rle(dot(2, 0)),
            area: 1,
            attribute_ids: [],
          },
          {
            id: 4,
            obj_ann_id: 4,
            image_id: 7,
            category_id: 2,
            segmentation: rle(dot(3, 0)),
            area: 1,
            attribute_ids: [],
          },
          {
            id: 5,
            obj_ann_id: 4,
            image_id: 7,
            category_id: 4,
            segmentation: rle(dot(3, 0)),
            area: 1,
            attribute_ids: [],
          },
          { id: 6, obj_ann_id: 99, image_id: 7, category_id: 4, segmentation: rle(dot(3, 0)), area: 1 },
        ],
        categories: [
          { id: 1, name: 'car_(automobile)', supercategory: 'OBJECT' },
          { id: 2, name: 'bicycle', supercategory: 'OBJECT' },
          { id: 3, name: 'car_(automobile):wheel', supercategory: 'PART' },
          { id: 4, name: 'bicycle:wheel', supercategory: 'PART' },
        ],
        part_categories: [{ id: 1, name: 'wheel', supercategory: 'PART' }],
        attributes: [
          { id: 0, name: 'dark_blue', supercategory: 'ATTR' },
          { id: 1, name: 'red', supercategory: 'ATTR' },
          { id: 2, name: 'metal', supercategory: 'ATTR' },
        ],
        attr_type_to_attr_idxs: { color: [0, 1], material: [2] },
      },
      'val2017/000000000007.jpg': jpg,
    });
    expect((await paco.reader?.detect(tree))?.certainty).toBeGreaterThan(0.9);
    const { images, notes } = await readAllImages(paco, tree);
    const source = await paco.reader?.read(tree);
    expect(source?.schema.parts.map(({ id, classes }) => [id, classes])).toEqual([
      ['wheel', ['car_-automobile', 'bicycle']],
    ]);
    const [image] = images;
    expect(image).toMatchObject({
      className: 'car_-automobile',
      split: 'val',
      attributes: { present: ['dark_blue', 'metal'] },
    });
    expect(
      image?.objects.map(({ parts }) => parts.map(({ id, instances }) => [id, instances?.length ?? 1])),
    ).toEqual([[['wheel', 2]], [['wheel', 1]]]);
    expect(notes).toContain('whose object is not there');
    expect(notes).toContain('attributes of parts or of further objects');
  });

  it('gives every part an object, also where none was drawn, and does not read that one back', async () => {
    const dataset = await streetDataset((image) => ({
      ...image,
      objects: objects()
        .slice(0, 1)
        .map((each) => ({ ...each, outline: null })),
    }));
    const document = jsonOf(await written(paco, dataset), 'annotations/paco_lvis_v1_train.json');
    const ids = new Set(document.annotations.map(({ id }: { id: number }) => id));
    for (const { obj_ann_id } of document.annotations) expect(ids.has(obj_ann_id)).toBe(true);
    expect(document.annotations[0]).toMatchObject({ derived: 1, category_id: 1 });
    const [image] = await roundTrip(paco, dataset);
    expect(image?.objects[0]?.outline).toBeNull();
  });

  it('merges instances on request, and says so', async () => {
    const dataset = await streetDataset();
    expect((await checked(paco, dataset, { instances: 'merged' })).lost).toContain('merged on 2 images');
    const [image] = await roundTrip(paco, dataset, { instances: 'merged' });
    expect(image?.objects[0]?.parts.some(({ instances }) => instances)).toBe(false);
  });
});

describe('Pascal-Part-116', () => {
  it('merges the fine parts of PASCAL-Part to the numbers of the benchmark', async () => {
    const scenes = await sceneDataset('pascal-part', 4, {
      classNames: ['dog', 'car'],
      splits: ['train', 'val'],
    });
    const files = await written(pascalPart116Format, await withoutFrames(scenes));
    expect(jsonOf(files, 'classes.json')).toMatchObject({ benchmark: true });
    const path = [...files.keys()].find((each) =>
      each.startsWith('annotations_detectron2_part/train/'),
    ) as string;
    const { pixels, depth } = await decodePng(files.get(path) as Uint8Array);
    expect(depth).toBe(8);
    const listed = jsonOf(files, 'annotations_detectron2_part/train_part_label_count.json');
    const values = [...new Set(pixels)].filter((value) => value !== 255).sort((a, b) => a - b);
    // Parts of dogs have the numbers 60 to 69. What is covered is listed too.
    expect(values.every((value) => value >= 60 && value <= 69)).toBe(true);
    expect(listed[path.split('/').at(-1) as string]).toEqual(expect.arrayContaining(values));
  });

  /** The screen of a TV has a frame in PASCAL-Part, and none in the benchmark. */
  async function withoutFrames(dataset: Dataset): Promise<Dataset> {
    const parts = dataset.schema.parts.filter(({ id }) => id !== 'tvmonitor:frame');
    return { ...dataset, schema: { ...dataset.schema, parts } };
  }

  it('refuses labels that the benchmark has not if its numbers were chosen', async () => {
    const { refused } = await checked(pascalPart116Format, await streetDataset(), { taxonomy: 'benchmark' });
    expect(refused).toMatch(/no such class.*road/);
    expect((await checked(pascalPart116Format, await streetDataset())).refusals).toEqual([]);
  });

  it('of the release is read with its own table', async () => {
    const map = (value: number, mask: Mask) =>
      encodeLabelPng(
        [
          { mask: tiny, value: 255 },
          { mask, value },
        ],
        4,
        3,
        'grey-8',
      );
    const tree = handmade({
      'PascalPart116/images/val/2008_000001.jpg': jpg,
      'PascalPart116/annotations_detectron2_obj/val/2008_000001.png': map(11, dot(0, 0, 3, 3)),
      'PascalPart116/annotations_detectron2_part/val/2008_000001.png': map(65, dot(1, 1)),
    });
    const { images } = await readAllImages(pascalPart116Format, tree);
    expect(images).toMatchObject([{ className: 'dog', split: 'val', objects: [{ parts: [{ id: 'leg' }] }] }]);
    const own = await pascalPart116Format.reader?.read(tree);
    expect(own?.schema.classes).toHaveLength(20);
    expect(await ade20kPart234Format.reader?.detect(tree)).toBeNull();
  });
});

describe('PartImageNet++', () => {
  it('has the folders, 16-bit numbers and marks that its loader reads', async () => {
    const dataset = await sceneDataset('part-imagenet', 6, {
      classNames: ['Car', 'Bird'],
      splits: ['train', 'val'],
      change: (image, index) => ({
        ...image,
        columns: Object.fromEntries(index === 1 ? [['pseudo', '1']] : []),
      }),
    });
    const files = await written(partImagenetPp, dataset);
    const classes = jsonOf(files, 'partimagenetpp/classes.json') as {
      folder: string;
      first: number;
      parts: string[];
    }[];
    const folders = classes.map(({ folder }) => folder);
    expect(folders).toEqual([...folders].sort());
    for (const split of ['train', 'val'])
      for (const folder of folders) {
        expect(files.has(`partimagenetpp/${split}/img/${folder}/`)).toBe(true);
        expect(files.has(`partimagenetpp/${split}/whether_pseudo/${folder}.txt`)).toBe(true);
      }
    const marks = folders
      .map((folder) => textOf(files, `partimagenetpp/train/whether_pseudo/${folder}.txt`))
      .join('');
    expect(
      marks
        .trim()
        .split('\n')
        .every((line) => /^n\d{8}\/\S+\.JPEG [01]$/.test(line)),
    ).toBe(true);
    expect(marks.match(/ 1$/gm)).toHaveLength(1);
    const map = [...files.keys()].find((path) => path.includes('/seg/') && path.endsWith('.png')) as string;
    const { depth, pixels } = await decodePng(files.get(map) as Uint8Array);
    const own = classes.find(({ folder }) => map.includes(`/${folder}/`));
    expect(depth).toBe(16);
    for (const value of new Set(pixels))
      expect(
        value === 0 || (value >= (own?.first ?? 0) && value < (own?.first ?? 0) + (own?.parts.length ?? 0)),
      ).toBe(true);
    const images = await roundTrip(partImagenetPp, dataset);
    expect(images.map(({ columns }) => columns.pseudo ?? '0').sort()).toEqual(['0', '0', '0', '0', '0', '1']);
    const before = await imagesOf(dataset);
    for (const image of images) {
      const same = before.find(({ name }) => name === image.name) as DatasetImage;
      const union = merge((same.objects[0] as ObjectLabel).parts.map(({ mask }) => mask));
      expect(encodeCounts(merge((image.objects[0] as ObjectLabel).parts.map(({ mask }) => mask)))).toBe(
        encodeCounts(union),
      );
    }
  });

  it('of the release is read without names, by the numbers in its maps', async () => {
    const map = encodeLabelPng(
      [
        { mask: dot(0, 0), value: 401 },
        { mask: dot(2, 2), value: 403 },
      ],
      4,
      3,
      'grey-16',
    );
    const tree = handmade({
      'img/n02085620/n02085620_1.JPEG': jpg,
      'seg/n02085620/n02085620_1.png': map,
      'whether_pseudo/n02085620.txt': 'n02085620/n02085620_1.JPEG 1\n',
    });
    const { images, notes } = await readAllImages(partImagenetPp, tree);
    expect(notes).toBe('');
    expect(images).toMatchObject([
      {
        wnid: 'n02085620',
        columns: { pseudo: '1' },
        objects: [{ parts: [{ id: 'n02085620 part 1' }, { id: 'n02085620 part 2' }] }],
      },
    ]);
  });
});

describe('ADE20K', () => {
  const entry = (id: number, name: string, level: number, ispartof: number | [], more = {}) => ({
    id,
    name,
    raw_name: name,
    attributes: [],
    occluded: 'no',
    parts: { part_level: level, ispartof, hasparts: [] },
    instance_mask: `a/instance_00${id}_a.png`,
    polygon: { x: [], y: [] },
    ...more,
  });

  it('of 2021: objects, parts of them, and a part of a part, with occlusion', async () => {
    const seg = encodeLabelPng([{ mask: tiny, value: 10 }], 4, 3, 'rgb');
    const tree = handmade({
      'images/ADE/training/urban/street/a.jpg': jpg,
      'images/ADE/training/urban/street/a_seg.png': seg,
      'images/ADE/training/urban/street/a/instance_000_a.png': encodeMaskPng(tiny, 255),
      'images/ADE/training/urban/street/a/instance_001_a.png': encodeMaskPng(dot(0, 0, 2, 2), 255),
      'images/ADE/training/urban/street/a/instance_002_a.png': encodeMaskPng(dot(0, 0), 255),
      'images/ADE/training/urban/street/a/instance_003_a.png': encodeMaskPng(dot(2, 0, 1, 2), 255),
      'images/ADE/training/urban/street/a.json': {
        annotation: {
          imsize: [3, 4, 3],
          object: [
            entry(0, 'car, auto, automobile', 0, [], { occluded: 'yes', attributes: 'parked' }),
            entry(1, 'door', 1, 0),
            entry(2, 'handle', 2, 1),
            entry(3, 'door', 1, 0),
            entry(4, 'wheel', 1, 4),
            entry(5, 'sky', 0, [], { polygon: { x: [0, 4, 4, 0], y: [0, 0, 1, 1] } }),
          ],
        },
      },
    });
    const source = await ade20k.reader?.read(tree);
    expect(source?.schema.parts.map(({ id, parent }) => [id, parent])).toEqual([
      ['door', undefined],
      ['door:handle', 'door'],
    ]);
    expect(source?.schema.classes).toEqual([
      { id: 'car', name: 'car' },
      { id: 'sky', name: 'sky', kind: 'stuff' },
    ]);
    const { images, notes } = await readAllImages(ade20k, tree);
    expect(images).toMatchObject([{ className: 'car', split: 'train', width: 4, height: 3 }]);
    const [car, sky] = images[0]?.objects ?? [];
    expect(car?.outline?.flags).toEqual(['occluded']);
    expect(car?.parts.map(({ id, instances, mask }) => [id, instances?.length ?? 1, area(mask)])).toEqual([
      ['door', 2, 6],
      ['door:handle', 1, 1],
    ]);
    expect(sky?.outline && area(sky.outline.mask)).toBe(4);
    expect(notes).toContain('parts "wheel"');
    expect(notes).toContain('attributes, which were left out');
  });

  it('of 2016: instances by the blue channel, parts by where they lie', async () => {
    const blue = (value: number, mask: Mask) => ({ mask, value: 10 + 65_536 * value });
    const tree = handmade({
      'training/street/a.jpg': jpg,
      'training/street/a_seg.png': encodeLabelPng(
        [blue(60, dot(0, 0, 2, 3)), blue(200, dot(3, 0, 1, 3))],
        4,
        3,
        'rgb',
      ),
      'training/street/a_parts_1.png': encodeLabelPng(
        [blue(99, dot(0, 0)), blue(120, dot(3, 2))],
        4,
        3,
        'rgb',
      ),
      'training/street/a_atr.txt':
        '001 # 0 # 0 # car, auto # car # ""\n002 # 0 # 1 # car, auto # car # "parked"\n001 # 1 # 0 # wheel # wheel # ""\n002 # 1 # 0 # wheel # wheel # ""\n',
    });
    const { images } = await readAllImages(ade20k, tree);
    const described = images[0]?.objects.map(({ className, outline, parts }) => [
      className,
      outline && area(outline.mask),
      outline?.flags ?? [],
      parts.map(({ id, mask }) => [id, area(mask)]),
    ]);
    expect(described).toEqual([
      ['car', 6, [], [['wheel', 1]]],
      ['car', 3, ['occluded'], [['wheel', 1]]],
    ]);
  });

  it('has the numbers of names in red and green, and of instances in blue', async () => {
    const files = await written(ade20k, await streetDataset());
    const names = textOf(files, 'objectnames.txt').trim().split('\n');
    const seg = [...files.keys()].find((path) => path.endsWith('_seg.png')) as string;
    const { pixels, width } = await decodePng(files.get(seg) as Uint8Array);
    const at = (x: number, y: number) => [...pixels.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)];
    expect(at(20, 20)).toEqual([0, 1 + names.indexOf('car'), 1]);
    expect(at(55, 20)).toEqual([0, 1 + names.indexOf('car'), 2]);
    expect(at(5, 2)).toEqual([0, 1 + names.indexOf('sky'), 5]);
    expect([...files.keys()].filter((path) => path.endsWith('_parts_2.png'))).toHaveLength(2);
  });
});

describe('panoptic parts of any classes', () => {
  it('number stuff without instances, and the instances of a part in a range', async () => {
    const files = await written(panopticParts, await streetDataset());
    const spec = textOf(files, 'datasetspec.yaml');
    expect(spec).toContain('scene_classes_with_instances: ["car", "person"]');
    const map = [...files.keys()].find((path) => path.endsWith('.tif')) as string;
    const { pixels, width } = await decodeTiff(files.get(map) as Uint8Array);
    const at = (x: number, y: number) => pixels[y * width + x];
    expect(at(5, 60)).toBe(3);
    expect(at(5, 2)).toBe(4);
    expect(at(20, 12)).toBe(1001);
    expect(at(76, 30)).toBe(2003);
    const wheels = [at(6, 30), at(30, 30), at(18, 33)];
    expect(wheels).toEqual([1_00101, 1_00102, 1_00103]);
    expect(at(45, 45)).toBe(0);
  });

  it('made elsewhere: groupings become instances, regions of things without a number crowds', async () => {
    const pixels = Int32Array.from([1, 1_00101, 1_00102, 2, 1001, 1001, 1001, 2, 0, 0, 0, 2]);
    const tree = handmade({
      'spec/my_datasetspec.yaml':
        "version: '2.0'\nname: mine\nscene_class2part_classes:\n  car: [wheel_1, wheel_2]\n  road: []\nscene_classes_with_instances: [car]\ncountable_pids_groupings:\n  car:\n    wheel: [1, 2]\n",
      'maps/val/a.tif': encodeTiff({ width: 4, height: 3, pixels }),
      'images/val/a.jpg': jpg,
    });
    const { images, notes } = await readAllImages(panopticParts, tree);
    expect(notes).toBe('');
    expect(images).toMatchObject([{ split: 'val', className: 'car' }]);
    const found = images[0]?.objects.map(({ className, outline, parts }) => [
      className,
      outline && area(outline.mask),
      outline?.flags ?? [],
      parts.map(({ id, instances }) => [id, instances?.length ?? 1]),
    ]);
    expect(found).toEqual([
      ['car', 5, [], [['wheel', 2]]],
      ['road', 3, [], []],
      ['car', 1, ['crowd'], []],
    ]);
  });
});

describe('overlays', () => {
  it('draw every instance in the colour of its part, and name what is there', async () => {
    const files = await written(overlays, await streetDataset());
    const svg = textOf(files, [...files.keys()][0] as string);
    expect(svg.match(/fill="#aa0000" fill-opacity="0.45"/g)).toHaveLength(4);
    expect(svg).toContain('Wheel × 4');
    expect(svg).toContain('Door &lt;left&gt; &amp; &quot;right&quot;');
    expect(svg).toContain('data:image/jpeg;base64,/9j/');
    const plain = await written(overlays, await streetDataset(), {
      legend: false,
      outlines: false,
      width: 64,
    });
    const small = textOf(plain, [...plain.keys()][0] as string);
    expect(small).not.toContain('<text');
    expect(small).not.toContain('stroke=');
  });
});
