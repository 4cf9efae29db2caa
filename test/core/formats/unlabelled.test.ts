import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import { decodePng } from '@/lib/core/formats/codecs/png';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import type { Dataset, DatasetImage } from '@/lib/core/formats/dataset';
import type { Format } from '@/lib/core/formats/format';
import type { ScenePreset } from '@/lib/demo/scenes';
import { readBack, sceneDataset, written } from '../../support/formats';
import { byStem, checked, imagesOf } from './support/dataset-files';

const formatOf = (id: string) => formats.find((format) => format.id === id) as Format;
const stem = (name: string) => name.replace(/\.\w+$/, '');

const bare = (image: DatasetImage): DatasetImage => ({ ...image, objects: [], attributeMasks: [] });

/** The whole object was drawn, and none of its parts yet. */
const outlined = (image: DatasetImage): DatasetImage => ({
  ...image,
  objects: image.objects.slice(0, 1).map((object) => ({
    ...object,
    outline: object.outline ?? object.parts[0] ?? null,
    parts: [],
    absent: [],
  })),
});

/** Somebody looked for all parts and found none. */
const searched = (image: DatasetImage): DatasetImage => ({
  ...image,
  objects: image.objects.slice(0, 1).map(({ parts, absent, ...object }) => ({
    ...object,
    outline: null,
    parts: [],
    absent: [...absent, ...parts.map(({ id }) => id)],
  })),
});

const firstChanged = (
  preset: ScenePreset,
  className: string,
  change: (image: DatasetImage) => DatasetImage,
) =>
  sceneDataset(preset, 6, {
    classNames: [className],
    change: (image, index) => (index === 0 ? change(image) : image),
  });

const firstStem = async (dataset: Dataset) => stem((await imagesOf(dataset))[0]?.name ?? '');

const mapsOf = (files: ReadonlyMap<string, Uint8Array>, name: string, ending: string) =>
  [...files].flatMap(([path, bytes]) => (path.endsWith(`/${name}${ending}`) ? [bytes] : []));

describe('an image that nobody drew on', () => {
  it.each([
    ['apm-part-imagenet', 'part-imagenet', 'Car'],
    ['apm-pascal-part', 'pascal-part-grouped', 'dog'],
  ] as const)('is not all background in %s: it has its class only', async (id, preset, className) => {
    const dataset = await firstChanged(preset, className, bare);
    expect((await checked(formatOf(id), dataset)).lost).toContain('1 image is written with the class only');
    const files = await written(formatOf(id), dataset);
    const name = await firstStem(dataset);
    const [map] = mapsOf(files, name, '.tif');
    expect(new Set((await decodeTiff(map as Uint8Array)).pixels)).toEqual(new Set([-1]));
    expect(byStem((await readBack(formatOf(id), files)).images).get(name)).toMatchObject({
      className,
      hasMasks: false,
    });
    const boxes = files.get('PartBoxSegmentations/train.json');
    if (boxes) expect(new TextDecoder().decode(boxes)).not.toContain(name);
  });

  it('is to be ignored in both maps of PartImageNet_Seg', async () => {
    const seg = formatOf('part-imagenet-seg');
    const dataset = await firstChanged('part-imagenet', 'Car', bare);
    const files = await written(seg, dataset);
    const name = await firstStem(dataset);
    const maps = mapsOf(files, name, '.png');
    expect(maps).toHaveLength(2);
    for (const map of maps) expect(new Set((await decodePng(map)).pixels)).toEqual(new Set([255]));
    expect(byStem((await readBack(seg, files)).images).get(name)).toMatchObject({
      className: 'Car',
      hasMasks: false,
    });
  });

  it.each([
    ['cityscapes', 'cityscapes-parts', 'car', {}],
    ['cityscapes-panoptic-parts', 'cityscapes-parts', 'car', {}],
    ['apm-cityscapes', 'cityscapes-parts', 'car', { crops: false }],
    ['pascal-part', 'pascal-part', 'dog', {}],
    ['pascal-panoptic-parts', 'pascal-part', 'dog', {}],
  ] as const)(
    'is left out of %s, which has no value for it, and counted',
    async (id, preset, name, options) => {
      const dataset = await firstChanged(preset, name, bare);
      expect((await checked(formatOf(id), dataset, options)).lost).toContain('1 image is left out');
      const paths = [...(await written(formatOf(id), dataset, options)).keys()];
      const stems = (await imagesOf(dataset)).map((image) => stem(image.name));
      expect(stems.map((each) => paths.some((path) => path.includes(each)))).toEqual([
        false,
        ...Array(5).fill(true),
      ]);
      const none = await sceneDataset(preset, 3, { classNames: [name], change: bare });
      expect((await checked(formatOf(id), none, options)).refused).toContain('Label some');
    },
  );
});

describe('an image of which only the whole object was drawn', () => {
  it.each([
    ['apm-part-imagenet', 'part-imagenet', 'Car'],
    ['apm-pascal-part', 'pascal-part-grouped', 'dog'],
  ] as const)('does not say in %s that it has no parts', async (id, preset, className) => {
    const dataset = await firstChanged(preset, className, outlined);
    expect((await checked(formatOf(id), dataset)).lost).toContain('1 image is written with the class only');
    const [map] = mapsOf(await written(formatOf(id), dataset), await firstStem(dataset), '.tif');
    expect(new Set((await decodeTiff(map as Uint8Array)).pixels)).toEqual(new Set([-1]));
  });

  it('is drawn all the same for layouts of whole objects', async () => {
    const dataset = await firstChanged('cityscapes-parts', 'car', outlined);
    expect((await checked(formatOf('cityscapes'), dataset)).lost).not.toMatch(/\d images? (is|are) left out/);
  });
});

describe('an image in which parts were looked for and not found', () => {
  it('is background, also when parts are boxes', async () => {
    const apm = formatOf('apm-part-imagenet');
    const dataset = await firstChanged('part-imagenet', 'Car', searched);
    for (const labels of ['parts', 'boxes']) {
      const [map] = mapsOf(await written(apm, dataset, { labels }), await firstStem(dataset), '.tif');
      expect(new Set((await decodeTiff(map as Uint8Array)).pixels)).toEqual(new Set([0]));
    }
    expect((await checked(apm, dataset)).lost).not.toContain('class only');
  });

  it('is left out of PASCAL-Part, whose readers fail on a file without objects', async () => {
    const pascal = formatOf('pascal-part');
    const dataset = await firstChanged('pascal-part', 'dog', searched);
    expect((await checked(pascal, dataset)).lost).toContain('1 image is left out');
    const files = await written(pascal, dataset);
    expect([...files.keys()].filter((path) => path.endsWith('.mat'))).toHaveLength(5);
    expect(new TextDecoder().decode(files.get('ImageSets/Main/train.txt'))).not.toContain(
      await firstStem(dataset),
    );
  });
});
