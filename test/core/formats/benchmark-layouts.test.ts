import { describe, expect, it } from 'vitest';
import { format as ade20k } from '@/lib/core/formats/ade20k';
import { encodeLabelPng, encodeMaskPng } from '@/lib/core/formats/codecs/label-png';
import { decodePng } from '@/lib/core/formats/codecs/png';
import { decodeTiff, encodeTiff } from '@/lib/core/formats/codecs/tiff';
import type { Dataset, DatasetImage, ObjectLabel } from '@/lib/core/formats/dataset';
import { ade20kPart234Format, pascalPart116Format } from '@/lib/core/formats/ov-parts';
import { format as overlays } from '@/lib/core/formats/overlays';
import { format as panopticParts } from '@/lib/core/formats/panoptic-parts';
import { format as partImagenetPp } from '@/lib/core/formats/part-imagenet-pp';
import { area, encodeCounts, type Mask, merge } from '@/lib/core/mask';
import { sceneDataset, written } from '../../support/formats';
import { checked, handmade, imagesOf, jsonOf, readAllImages, textOf } from './support/dataset-files';
import { dot, jpg, roundTrip, streetDataset, tiny } from './support/street-scene';

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
