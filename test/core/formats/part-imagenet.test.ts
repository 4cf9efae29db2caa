import { beforeAll, describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import { decodePng } from '@/lib/core/formats/codecs/png';
import type { Dataset } from '@/lib/core/formats/dataset';
import { format } from '@/lib/core/formats/part-imagenet';
import { format as seg } from '@/lib/core/formats/part-imagenet-seg';
import { area, encodeCounts, rasterizePolygons } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
import { readBack, sceneDataset, treeOf, written } from '../../support/formats';
import { byStem, imagesOf, partsRead, visibleParts } from './support/dataset-files';

const json = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));
const stem = (name: string) => name.replace(/\.\w+$/, '');

let dataset: Dataset;
beforeAll(async () => {
  dataset = await sceneDataset('part-imagenet', 12, {
    classNames: ['Quadruped', 'Bicycle', 'Bird', 'Bottle'],
  });
});

describe('PartImageNet as it was first released', () => {
  it('numbers categories 0 to 39 in the order of the release', async () => {
    const { categories } = json((await written(format, dataset)).get('val.json'));
    expect(categories.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: 40 }, (_, i) => i));
    const names = categories.map(({ name }: { name: string }) => name);
    expect(names.slice(27, 31)).toEqual(['Bicycle Body', 'Bicycle Head', 'Bicycle Seat', 'Bicycle Tier']);
    expect(names.slice(35, 40)).toEqual([
      'Aeroplane Engine',
      'Aeroplane Wing',
      'Aeroplane Tail',
      'Bottle Mouth',
      'Bottle Body',
    ]);
  });

  it('has names without folder, ids that differ over all files, and polygons of the very pixels', async () => {
    const files = await written(format, dataset);
    const ids: number[] = [];
    for (const split of ['train', 'val', 'test']) {
      const { images, annotations } = json(files.get(`${split}.json`));
      for (const { file_name } of images) {
        expect(file_name).toMatch(/^n\d{8}_[^_.]+\.JPEG$/);
        expect(files.has(`${split}/${file_name.slice(0, 9)}/${file_name}`)).toBe(true);
      }
      for (const { id, image_id, segmentation, area: size, bbox, iscrowd } of annotations) {
        ids.push(id);
        const { height, width } = images.find((image: { id: number }) => image.id === image_id);
        expect([size > 0, bbox.length, iscrowd]).toEqual([true, 4, 0]);
        if (Array.isArray(segmentation))
          expect(area(rasterizePolygons(segmentation, height, width))).toBe(size);
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('reads back every part', async () => {
    const files = await written(format, dataset);
    const { images, notes } = await readBack(format, files);
    expect(notes).toEqual([]);
    const read = byStem(images);
    for (const image of await imagesOf(dataset)) {
      const back = read.get(stem(image.name));
      expect(back).toMatchObject({ className: image.className, wnid: image.wnid, split: image.split });
      expect(partsRead(back as never)).toEqual(
        Object.fromEntries(
          image.objects.flatMap(({ className, instance, parts }) =>
            parts.map(({ id, mask }) => [`${className} ${instance} ${id}`, encodeCounts(mask)]),
          ),
        ),
      );
    }
  });

  it('reads the faults of the release: a line as its box, area 0 as nothing', async () => {
    const files = await written(format, dataset);
    const document = json(files.get('train.json'));
    document.annotations = document.annotations.slice(0, 1).map((row: object) => ({
      ...row,
      segmentation: [[10, 10, 30, 20]],
      bbox: [10, 10, 20, 10],
    }));
    document.annotations.push({ ...document.annotations[0], id: 999, bbox: [5, 5, 0, 0] });
    files.set('train.json', new TextEncoder().encode(JSON.stringify(document)));
    const { images, notes } = await readBack(format, files);
    const [first] = images.filter(({ split }) => split === 'train');
    expect(area(first?.objects[0]?.parts[0]?.mask as never)).toBe(200);
    expect(notes.join(' ')).toMatch(/two points were read as their box.*area 0/);
  });
});

describe('PartImageNet_Seg', () => {
  it('has 40 and 158 for background, categories else, and reads back', async () => {
    const files = await written(seg, dataset);
    const read = byStem((await readBack(seg, files)).images);
    for (const image of await imagesOf(dataset)) {
      const path = `annotations/${image.split}/${stem(image.name)}`;
      const parts = await decodePng(files.get(`${path}.png`) as Uint8Array);
      expect([parts.channels, parts.depth, parts.palette]).toEqual([1, 8, null]);
      const known = new Set(image.objects.flatMap((object) => object.parts.map(({ id }) => id)));
      const codes = partImageNet.parts.filter(({ id }) => known.has(id)).map(({ codes }) => codes?.coco);
      for (const value of new Set(parts.pixels)) expect([...codes, 40]).toContain(value);
      const whole = await decodePng(
        files.get(path.replace(`/${image.split}/`, `/${image.split}_whole/`).concat('.png')) as Uint8Array,
      );
      expect(new Set(whole.pixels).size).toBe(2);
      expect(new Set(whole.pixels)).toContain(158);
      expect(json(files.get(`${path}.json`))).toMatchObject({
        imgHeight: image.height,
        imgWidth: image.width,
      });
      const back = read.get(stem(image.name));
      expect(partsRead(back as never)).toEqual(visibleParts(dataset, image));
      expect(encodeCounts(back?.objects[0]?.outline?.mask as never)).toBe(
        encodeCounts(image.objects[0]?.outline?.mask as never),
      );
    }
  });

  it('refuses a WordNet id that it has no number for, and names of other shapes', async () => {
    const strange = await sceneDataset('part-imagenet', 2, {
      change: (image, index) => ({
        ...image,
        ...(index ? { name: 'a_b_c.jpg' } : { wnid: 'n99999999', name: 'n99999999_1.JPEG' }),
      }),
    });
    const { refusals } = await seg.check(strange, {});
    expect(refusals.map(({ what }) => what).join(' ')).toMatch(
      /underscore too many.*that the release numbers|that the release numbers.*underscore too many/,
    );
  });
});

describe('detection', () => {
  it('guesses each layout as itself, among all formats', async () => {
    for (const own of [format, seg]) {
      const tree = treeOf(await written(own, dataset));
      const guesses = await Promise.all(
        formats.map(async ({ id, reader }) => ({
          id,
          certainty: (await reader?.detect(tree))?.certainty ?? 0,
        })),
      );
      expect(guesses.sort((a, b) => b.certainty - a.certainty)[0]?.id).toBe(own.id);
    }
  });
});
