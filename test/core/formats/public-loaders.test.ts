import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import type { Dataset, DatasetImage } from '@/lib/core/formats/dataset';
import type { Format } from '@/lib/core/formats/format';
import { area, intersection, type Mask, scaleByArea, toBitmap, union } from '@/lib/core/mask';
import { readBack, treeOf } from '@/test/support/formats';
import { box, caseDataset, cases, own, street, unlabelled } from './conformance/cases';
import { glob, jsonAt, lines, textAt } from './conformance/files';
import { exportCase } from './conformance/suite';
import { imagesOf } from './support/dataset-files';

const formatOf = (id: string) => formats.find((format) => format.id === id) as Format;

const entry = (id: string) => cases.find((each) => each.id === id) as (typeof cases)[number];

async function exported(id: string, caseId: string, options: Record<string, unknown> = {}, vocabulary = own) {
  const { check, files } = await exportCase(formatOf(id), caseDataset(entry(caseId), vocabulary), options);
  expect(check.refusals).toEqual([]);
  return files;
}

describe('VOC of a project whose objects have no outline', () => {
  it('has objects, and a map for every image that loaders of segmentations open', async () => {
    const files = await exported('voc', 'no-outlines');
    for (const path of glob(files, /^Annotations\//)) expect(textAt(files, path)).toContain('<object>');
    for (const split of ['train', 'val', 'test', 'trainval'])
      for (const stem of lines(textAt(files, `ImageSets/Segmentation/${split}.txt`)))
        expect(files.has(`SegmentationClass/${stem}.png`)).toBe(true);
  });

  it('lists no image without a map', async () => {
    const dataset = caseDataset(entry('plain'), own);
    const bare: Dataset = {
      ...dataset,
      async *images() {
        let index = 0;
        for await (const image of dataset.images()) yield index++ === 0 ? { ...image, objects: [] } : image;
      },
    };
    const { files } = await exportCase(formatOf('voc'), bare, {});
    expect(textAt(files, 'ImageSets/Main/train.txt')).toContain('img1\n');
    expect(textAt(files, 'ImageSets/Segmentation/train.txt')).not.toContain('img1\n');
  });
});

describe('Cityscapes polygons', () => {
  it('are one per instance, also of an object in several pieces', async () => {
    const polygons = async (options = {}) => {
      const files = await exported('cityscapes', 'pieces', options, street);
      const path = glob(files, /polygons\.json$/)[0] as string;
      return jsonAt(files, path).objects.filter(({ label }: { label: string }) => label === 'car').length;
    };
    expect(await polygons()).toBe(1);
    expect(await polygons({ polygons: 'pieces' })).toBe(2);
  });
});

describe('PartImageNet', () => {
  it('has polygons only, also for masks with holes', async () => {
    const isPolygon = async (options = {}) => {
      const files = await exported('part-imagenet', 'holes', options);
      const { annotations } = jsonAt(files, 'train.json');
      return annotations.every(({ segmentation }: { segmentation: unknown }) => Array.isArray(segmentation));
    };
    expect(await isPolygon()).toBe(true);
    expect(await isPolygon({ holes: 'rle' })).toBe(false);
  });

  it.each([
    'apm-part-imagenet',
    'apm-cityscapes',
    'apm-pascal-part',
    'part-imagenet',
    'part-imagenet-seg',
    'cityscapes-panoptic-parts',
    'pascal-part',
    'pascal-panoptic-parts',
  ])('layouts accept a schema of their own: %s reads back its classes and parts', async (id) => {
    const format = formatOf(id);
    const options = {
      ...(id === 'apm-cityscapes' && { 'min-area': 100 }),
      ...(id === 'cityscapes-panoptic-parts' && { names: 'number' }),
    };
    const { schema, images, notes } = await readBack(format, await exported(id, 'plain', options));
    expect(notes).toEqual([]);
    expect(schema.parts.map((part) => part.id)).toEqual(['body', 'wheel', 'torso', 'head']);
    expect(images).toHaveLength(6);
    const parts = images.flatMap(({ objects }) =>
      objects.flatMap((object) => object.parts.map((part) => part.id)),
    );
    expect(new Set(parts)).toEqual(new Set(['body', 'wheel', 'torso', 'head']));
    const strict = await exportCase(format, caseDataset(entry('plain'), own), { ids: 'original' });
    expect(strict.check.refusals.length).toBeGreaterThan(0);
  });
});

describe('COCO', () => {
  const documentOf = async (caseId: string, options: Record<string, unknown> = {}) =>
    jsonAt(await exported('coco', caseId, options), 'annotations/instances_train.json');

  it('has an annotation for objects without an outline', async () => {
    const names = async (options = {}) => {
      const { annotations, categories } = await documentOf('no-outlines', options);
      return annotations.map(
        ({ category_id }: { category_id: number }) =>
          categories.find(({ id }: { id: number }) => id === category_id).name,
      );
    };
    expect(await names()).toEqual(['car', 'body', 'wheel', 'person', 'torso', 'head']);
    expect(await names({ outlines: 'drawn' })).toEqual(['body', 'wheel', 'torso', 'head']);
  });

  it('has supercategories and no private keys', async () => {
    const { annotations, categories } = await documentOf('plain');
    expect(categories.map(({ supercategory }: { supercategory: string }) => supercategory)).toEqual([
      'object',
      'object',
      'object',
      'car',
      'car',
      'person',
      'person',
    ]);
    expect(annotations[0]).not.toHaveProperty('instance');
    expect(annotations[0].attributes).toEqual({ object: 1 });
    const traced = await documentOf('plain', { provenance: true });
    expect(traced.annotations[0].attributes).toEqual({ object: 1, source: 'import', confidence: 1 });
  });

  it('names classes plainly with labels=objects', async () => {
    const { annotations, categories } = await documentOf('no-outlines', { labels: 'objects' });
    expect(categories.map(({ name }: { name: string }) => name)).toEqual(['car', 'person', 'road']);
    expect(annotations).toHaveLength(2);
  });
});

describe('COCO panoptic and CVAT', () => {
  it('mark stuff as no thing', async () => {
    const files = await exported('coco-panoptic', 'stuff');
    const { categories } = jsonAt(files, 'annotations/panoptic_train.json');
    const things = categories.map(({ name, isthing }: { name: string; isthing: number }) => [name, isthing]);
    expect(things).toContainEqual(['road', 0]);
    expect(things).toContainEqual(['wheel', 1]);
  });

  it('are laid out as Datumaro requires: subset elements, and pictures under images/', async () => {
    expect(textAt(await exported('cvat', 'plain'), 'annotations.xml')).toContain('<subset>train</subset>');
    for (const id of ['coco', 'coco-panoptic'])
      expect((await exported(id, 'plain')).has('images/train/img1.jpg')).toBe(true);
  });
});

describe('RIVAL10 masks', () => {
  it('are the area average, not the nearest pixels', () => {
    const shape = union(box(5, 5, 20, 13), box(21, 9, 3, 25));
    const bits = toBitmap(shape);
    const [height, width] = [14, 17];
    const truth = (x: number, y: number): number => {
      const fine = 240;
      let sum = 0;
      for (let i = 0; i < fine; i++)
        for (let j = 0; j < fine; j++) {
          const [sx, sy] = [
            ((x + (i + 0.5) / fine) * shape.width) / width,
            ((y + (j + 0.5) / fine) * shape.height) / height,
          ];
          sum += bits[Math.floor(sy) * shape.width + Math.floor(sx)] as number;
        }
      return sum / fine ** 2;
    };
    const small = toBitmap(scaleByArea(shape, height, width));
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const share = truth(x, y);
        if (Math.abs(share - 0.5) > 0.01) expect(small[y * width + x]).toBe(share >= 0.5 ? 1 : 0);
      }
  });

  it('of the same size stay as they are', () => {
    const shape = union(box(5, 5, 20, 13), box(21, 9, 3, 25));
    const same = scaleByArea(shape, shape.height, shape.width);
    expect(area(intersection(same, shape))).toBe(area(shape));
    expect(area(same)).toBe(area(shape));
  });
});

describe.each(formats.map((format) => [format.id, format] as const))('%s', (id, format: Format) => {
  it('refuses a project without any label, with the reason', async () => {
    const { check } = await exportCase(format, unlabelled(id.includes('cityscapes') ? street : own), {
      names: 'number',
    });
    expect(check.refusals.some(({ what }) => what.includes('The version has no labels'))).toBe(true);
  });
});

/** VOC keeps the boxes of parts only, and YOLO does not say which object a part belongs to. */
const instanceFormats = formats.filter(
  ({ id, kind, holds, reader }) =>
    reader && kind === 'general' && holds?.includes('instances') && id !== 'voc' && id !== 'yolo-seg',
);

describe.each(instanceFormats.map((format) => [format.id, format] as const))('%s', (_, format) => {
  it('gives instances, stuff, crowd regions and flags back', async () => {
    for (const caseId of ['instances', 'flags', 'crowd', 'stuff']) {
      const dataset = caseDataset(entry(caseId), own);
      const { files } = await exportCase(format, dataset, {});
      const { images } = await readBack(format, files);
      const facts = (image: Pick<DatasetImage, 'name' | 'objects'>) =>
        `${image.name} ${image.objects
          .flatMap(({ className, outline, parts }) => [
            `${className} ${outline?.flags ?? ''}`,
            ...parts.map((part) => `${part.id} ${part.instances?.map((mask: Mask) => area(mask)) ?? 1}`),
          ])
          .sort()
          .join('; ')}`;
      const wanted = (await imagesOf(dataset)).map(facts).sort();
      const found = images.map(facts).sort();
      const hasFlags = format.holds?.includes('occluded');
      if (caseId !== 'flags' || hasFlags) expect(found).toEqual(wanted);
    }
    expect(
      await format.reader?.detect(
        treeOf((await exportCase(format, caseDataset(entry('plain'), own), {})).files),
      ),
    ).not.toBeNull();
  });
});
