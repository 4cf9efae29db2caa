import { beforeAll, describe, expect, it } from 'vitest';
import { format } from '@/lib/core/formats/apm-part-imagenet';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import type { Dataset } from '@/lib/core/formats/dataset';
import { boundingBox } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
import { readBack, sceneDataset, treeOf, written } from '../../support/formats';
import { byStem, imagesOf, partsRead, visibleParts } from './support/dataset-files';

const CLASSES = [
  'Aeroplane',
  'Bicycle',
  'Biped',
  'Bird',
  'Boat',
  'Bottle',
  'Car',
  'Fish',
  'Quadruped',
  'Reptile',
  'Snake',
];
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describe('a researcher trains the part-model code on Part-ImageNet', () => {
  let dataset: Dataset;
  let files: Map<string, Uint8Array>;

  beforeAll(async () => {
    // Two classes only, and none of the second in val: labels must not shift.
    dataset = await sceneDataset('part-imagenet', 12, {
      classNames: ['Car', 'Fish'],
      change: (image, index) => ({
        ...image,
        split: index < 8 ? 'train' : index === 8 ? 'val' : 'test',
        hasMasks: index !== 0,
        ...(index === 0 ? { objects: [] } : {}),
        ...(index === 3 ? { wnid: null } : {}),
      }),
    });
    files = await written(format, dataset);
  });

  it('finds all eleven classes in every split, as folder and as list', () => {
    for (const split of ['train', 'val', 'test']) {
      const inside = [...files.keys()].filter((path) => path.startsWith(`PartSegmentations/All/${split}/`));
      const folders = inside.filter((path) => path.endsWith('/')).map((path) => path.split('/').at(-2));
      expect(folders.sort()).toEqual(CLASSES);
      const lists = inside.filter((path) => path.endsWith('.txt')).map((path) => path.split('/').at(-1));
      expect(lists.sort()).toEqual(CLASSES.map((name) => `${name}.txt`));
    }
  });

  it('finds a picture and a mask for every line, and no line is empty', () => {
    let count = 0;
    for (const [path, bytes] of files) {
      if (!path.endsWith('.txt')) continue;
      for (const line of text(bytes).split('\n').slice(0, -1)) {
        count += 1;
        expect(line).toMatch(/^[^/]+\/[^/]+$/);
        expect(line).not.toMatch(/\.\w+$/);
        expect(files.has(`JPEGImages/${line}.JPEG`)).toBe(true);
        expect(files.has(`${path.slice(0, -4)}/${line.split('/')[1]}.tif`)).toBe(true);
      }
      expect(text(bytes)).not.toMatch(/^\n|\n\n/);
    }
    expect(count).toBe(12);
  });

  it('keeps an image without WordNet id in a folder named after its class', () => {
    expect([...files.keys()].filter((path) => path.startsWith('JPEGImages/Fish/'))).toHaveLength(1);
  });

  it('marks an image with a class only by -1 in 32 bits', async () => {
    const [first] = await imagesOf(dataset);
    const stem = first?.name.replace('.JPEG', '');
    const { pixels } = await decodeTiff(
      files.get(`PartSegmentations/All/train/Car/${stem}.tif`) as Uint8Array,
    );
    expect(pixels).toBeInstanceOf(Int32Array);
    expect(new Set(pixels)).toEqual(new Set([-1]));
  });

  it('numbers parts as the table does: Car 24-26, Fish 27-30', async () => {
    const seen = new Set<number>();
    for (const [path, bytes] of files)
      if (path.endsWith('.tif')) for (const value of (await decodeTiff(bytes)).pixels) seen.add(value);
    expect(Math.max(...seen)).toBeLessThanOrEqual(30);
    expect([...seen].filter((value) => value > 0 && value < 24)).toEqual([]);
    const ids = Object.fromEntries(partImageNet.parts.map(({ id, codes }) => [id, codes?.mask]));
    expect(ids).toMatchObject({
      'Aeroplane Head': 1,
      'Aeroplane Engine': 3,
      'Bicycle Body': 6,
      'Bicycle Head': 7,
      'Bottle Mouth': 22,
      'Car Body': 24,
      'Car Side Mirror': 26,
      'Quadruped Head': 31,
      'Snake Body': 40,
    });
  });

  it('lists boxes for the detector, with all that COCO asks for', async () => {
    const document = JSON.parse(text(files.get('PartBoxSegmentations/train.json')));
    expect(document.categories).toHaveLength(40);
    expect(document.categories[0]).toEqual({ id: 0, name: 'Quadruped Head', supercategory: 'Quadruped' });
    expect(document.images[0].file_name).toMatch(/^[^/]+\/[^/]+\.JPEG$/);
    for (const annotation of document.annotations) {
      expect(Object.keys(annotation)).toEqual(['id', 'image_id', 'category_id', 'bbox', 'area', 'iscrowd']);
      expect(annotation.area).toBeGreaterThan(0);
    }
  });

  it('reads back what was written, class by class, part by part', async () => {
    const { images, notes } = await readBack(format, files);
    expect(notes).toEqual([]);
    expect(images).toHaveLength(12);
    const read = byStem(images);
    for (const image of await imagesOf(dataset)) {
      const back = read.get(image.name.replace(/\.\w+$/, ''));
      expect(back).toMatchObject({
        className: image.className,
        wnid: image.wnid,
        split: image.split,
        hasMasks: image.hasMasks,
      });
      if (back && image.hasMasks) expect(partsRead(back)).toEqual(visibleParts(dataset, image));
    }
    expect((await format.reader?.detect(treeOf(files)))?.because).toContain('part-model code');
  });

  it('puts box labels into their own folder: tight rectangles', async () => {
    const boxes = await written(format, dataset, { labels: 'boxes' });
    expect([...boxes.keys()].some((path) => path.startsWith('PartSegmentations'))).toBe(false);
    const image = (await imagesOf(dataset))[2];
    const part = image?.objects[0]?.parts[0];
    const [x, y, width, height] = boundingBox(part?.mask as never);
    const stem = image?.name.replace('.JPEG', '');
    const map = await decodeTiff(
      boxes.get(`BoxSegmentations/All/train/${image?.className}/${stem}.tif`) as Uint8Array,
    );
    for (const [px, py] of [
      [x, y],
      [x + width - 1, y + height - 1],
    ] as const)
      expect(map.pixels[py * map.width + px]).toBeGreaterThan(0);
  });
});
