import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import { format as ade20k } from '@/lib/core/formats/ade20k';
import type { ObjectLabel } from '@/lib/core/formats/dataset';
import type { Format, SourceTree } from '@/lib/core/formats/format';
import { ade20kPart234Format, pascalPart116Format } from '@/lib/core/formats/ov-parts';
import { format as paco } from '@/lib/core/formats/paco';
import { format as panopticParts } from '@/lib/core/formats/panoptic-parts';
import { format as partImagenetPp } from '@/lib/core/formats/part-imagenet-pp';
import { area } from '@/lib/core/mask';
import { sceneDataset, treeOf, written } from '../../support/formats';
import { checked, handmade, jsonOf, readAllImages } from './support/dataset-files';
import {
  box,
  cut,
  describeObjects,
  dot,
  flagsOf,
  jpg,
  object,
  objects,
  part,
  rle,
  roundTrip,
  streetDataset,
  tiny,
} from './support/street-scene';

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
