import { describe, expect, it } from 'vitest';
import { format } from '@/lib/core/formats/coco';
import { area, boundingBox } from '@/lib/core/mask';
import { readBack, written } from '../../support/formats';
import {
  attributeDataset,
  handmade,
  jsonOf,
  labelsOfDataset,
  labelsOfSource,
  partDataset,
  tinyPng,
} from './support/dataset-files';

describe('COCO instances', () => {
  it('gives back the same masks from polygons, with holes as seams, so loaders find no runs', async () => {
    const dataset = await partDataset();
    const files = await written(format, dataset, { segmentation: 'polygons' });
    const { images } = await readBack(format, files);
    expect(labelsOfSource(images)).toEqual(await labelsOfDataset(dataset));
    const { annotations } = jsonOf(files, 'annotations/instances_train.json');
    const kinds = annotations.map(({ segmentation }: { segmentation: unknown }) =>
      Array.isArray(segmentation),
    );
    expect(new Set(kinds)).toEqual(new Set([true]));
  });

  it('has ids from 1 that no other split has, whole numbers for iscrowd, and sizes as height, width', async () => {
    const dataset = await partDataset();
    const files = await written(format, dataset);
    const all = dataset.splits.map((split) => jsonOf(files, `annotations/instances_${split}.json`));
    const ids = all.flatMap(({ annotations }) => annotations.map(({ id }: { id: number }) => id));
    expect([...ids].sort((a, b) => a - b)).toEqual(ids.map((_, index) => index + 1));
    const [{ images, annotations, categories }] = all;
    expect(categories[0].id).toBe(1);
    expect(categories.find(({ name }: { name: string }) => name === 'Car Tier').supercategory).toBe('Car');
    const [first] = annotations;
    expect(first.iscrowd).toBe(0);
    expect(Object.keys(first)).toEqual([
      'id',
      'image_id',
      'category_id',
      'segmentation',
      'area',
      'bbox',
      'iscrowd',
      'attributes',
    ]);
    const runs = await written(format, dataset, { segmentation: 'rle' });
    const [run] = jsonOf(runs, 'annotations/instances_train.json').annotations;
    expect(run.segmentation.size).toEqual([images[0].height, images[0].width]);
    expect(files.has(`images/train/${images[0].file_name}`)).toBe(true);
  });

  it('states area and box as they are', async () => {
    const files = await written(format, await attributeDataset());
    const { annotations } = jsonOf(files, 'annotations/instances_train.json');
    const { images } = await readBack(format, files);
    const train = images.filter(({ split }) => split === 'train');
    const masks = train.flatMap(({ objects, attributeMasks }) => [
      ...objects.flatMap(({ outline }) => (outline ? [outline.mask] : [])),
      ...attributeMasks.map(({ mask }) => mask),
    ]);
    const said = annotations
      .map(({ area: size, bbox }: { area: number; bbox: number[] }) => `${size} ${bbox}`)
      .sort();
    expect(masks.map((mask) => `${area(mask)} ${boundingBox(mask)}`).sort()).toEqual(said);
  });
});

describe('a COCO file that somebody else made', () => {
  const image = { id: 7, file_name: 'a.png', width: 4, height: 3 };
  const square = [0, 0, 2, 0, 2, 2, 0, 2];
  const zigzag = Array.from({ length: 2000 }, (_, i) => [i % 4 === 0 ? 0 : 60_000, i % 3]).flat();
  const read = async (document: object) => {
    const source = await format.reader?.read(handmade({ 'x/train.json': document, 'x/pics/a.png': tinyPng }));
    const images = [];
    for await (const each of source?.images() ?? []) images.push(each);
    return { images, notes: source?.notes ?? [], schema: source?.schema };
  };

  it('may use 0 as an id, text as ids and true for crowds', async () => {
    const { images, notes } = await read({
      images: [{ ...image, id: '7' }],
      categories: [{ id: 0, name: 'dog' }],
      annotations: [
        { id: 1, image_id: 7, category_id: '0', segmentation: [square], iscrowd: 0 },
        { id: 2, image_id: 7, category_id: 0, segmentation: [square], iscrowd: true },
      ],
    });
    expect(images[0]?.objects.map(({ className, outline }) => [className, outline?.flags])).toEqual([
      ['dog', undefined],
      ['dog', ['crowd']],
    ]);
    expect(images[0]?.split).toBe('train');
    expect(notes).toEqual([]);
  });

  it('puts a part onto the object it lies on, and the largest object first', async () => {
    const { images, schema } = await read({
      images: [image],
      categories: [
        { id: 1, name: 'dog', supercategory: 'animal' },
        { id: 2, name: 'head', supercategory: 'dog' },
      ],
      annotations: [
        { id: 1, image_id: 7, category_id: 1, segmentation: [[3, 2, 4, 2, 4, 3, 3, 3]] },
        { id: 2, image_id: 7, category_id: 1, segmentation: [square] },
        { id: 3, image_id: 7, category_id: 2, segmentation: [[0, 0, 1, 0, 1, 1, 0, 1]] },
      ],
    });
    expect(schema?.parts).toMatchObject([{ id: 'head', classes: ['dog'] }]);
    const [first, second] = images[0]?.objects ?? [];
    expect(first?.outline && area(first.outline.mask)).toBe(4);
    expect(first?.parts.map(({ id }) => id)).toEqual(['head']);
    expect(second?.parts).toEqual([]);
  });

  it('that lists a kind nobody drew, as Roboflow does, has classes and no parts', async () => {
    const { schema, images } = await read({
      images: [image],
      categories: [
        { id: 0, name: 'fruits', supercategory: 'none' },
        { id: 1, name: 'apple', supercategory: 'fruits' },
      ],
      annotations: [{ id: 1, image_id: 7, category_id: 1, segmentation: [square] }],
    });
    expect(schema?.parts).toEqual([]);
    expect(schema?.classes.map(({ id }) => id)).toEqual(['fruits', 'apple']);
    expect(images[0]).toMatchObject({ className: 'apple' });
  });

  it('that names folders is not given pictures of other folders', async () => {
    const named = (file_name: string) => ({
      images: [{ ...image, file_name }],
      categories: [{ id: 1, name: 'dog' }],
      annotations: [],
    });
    expect((await read(named('pics/a.png'))).images[0]?.path).toBe('x/pics/a.png');
    expect((await read(named('/home/me/pics/a.png'))).images[0]?.path).toBe('x/pics/a.png');
    expect((await read(named('a.png'))).images[0]?.path).toBe('x/pics/a.png');
    const other = await read(named('val/a.png'));
    expect(other.images).toEqual([]);
    expect(other.notes.join()).toMatch(/picture is not there/);
  });

  it.each([
    ['runs that are too short', { size: [3, 4], counts: [3, 2] }, /do not add up/],
    ['runs that are too long', { size: [3, 4], counts: [3, 20] }, /do not add up/],
    ['runs of a turned image', { size: [4, 3], counts: [12] }, /has runs of size \[4,3\]/],
    ['a string that is no runs', { size: [3, 4], counts: 'ÿÿ' }, /no COCO string/],
    ['a flat list', square, /flat list/],
    ['an empty list', [], /empty list/],
    ['two points', [[0, 0, 1, 1]], /fewer than three points/],
    ['coordinates beyond all pictures', [[0, 0, 1e9, 0, 1e9, 1e9]], /coordinates that cannot be meant/],
    ['a border that takes for ever to fill', [zigzag], /border is longer than any drawing/],
    ['coordinates that are text', [['0', '0', '1', '0', '1', '1']], /coordinates that cannot be meant/],
    ['nothing', null, /box and no mask/],
  ])('loses an annotation with %s, and says so', async (_, segmentation, why) => {
    const { images, notes } = await read({
      images: [image],
      categories: [{ id: 1, name: 'dog' }],
      annotations: [{ id: 1, image_id: 7, category_id: 1, segmentation }],
    });
    expect(images[0]?.objects).toEqual([]);
    expect(notes.join()).toMatch(why);
  });

  it('loses images of impossible size, of no picture and annotations of nothing, and says so', async () => {
    const { images, notes } = await read({
      images: [
        { ...image, width: 1e9, height: 1e9 },
        { id: 8, file_name: '../../etc/passwd', width: 1, height: 1 },
        { id: 9 },
      ],
      categories: [{ id: 1, name: 'dog' }],
      annotations: [
        { id: 1, image_id: 7, category_id: 1, segmentation: [square] },
        { id: 2, image_id: 99, category_id: 1, segmentation: [square] },
        { id: 3 },
      ],
    });
    expect(images).toHaveLength(1);
    expect(notes).toHaveLength(4);
  });
});
