import { describe, expect, it } from 'vitest';
import { format as apm } from '@/lib/core/formats/apm-pascal-part';
import { decodeMat, type MatValue } from '@/lib/core/formats/codecs/mat5';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import { groupOfPart, groupParts } from '@/lib/core/formats/derive';
import { numbersOf, format as panoptic } from '@/lib/core/formats/pascal-panoptic-parts';
import { format as pascal } from '@/lib/core/formats/pascal-part';
import { encodeCounts, fromBitmap } from '@/lib/core/mask';
import { pascalPart } from '@/lib/core/schema/presets';
import { datasetOf, readBack, sceneDataset, written } from '../../support/formats';
import { byStem, imagesOf, partsRead, visibleParts } from './support/dataset-files';

const FIVE = ['aeroplane', 'bird', 'car', 'cat', 'dog'];
const stem = (name: string) => name.replace(/\.\w+$/, '');

describe('merged parts of the part-model paper', () => {
  it.each([
    ['aeroplane', { tail: 1, stern: 1, lwing: 2, engine_3: 2, body: 3, wheel_1: 3 }],
    ['bird', { beak: 4, neck: 4, lfoot: 5, rleg: 5, torso: 6, rwing: 6, tail: 6 }],
    ['car', { wheel_2: 7, window_20: 8, bliplate: 9, door_1: 9, headlight_2: 9, roofside: 9 }],
    ['cat', { lear: 10, rear: 10, nose: 10, lfpa: 11, rbleg: 11, torso: 12, tail: 12 }],
    ['dog', { muzzle: 13, neck: 13, lbpa: 14, torso: 15 }],
  ])('%s', (className, table) => {
    for (const [token, id] of Object.entries(table)) expect(groupOfPart(className, token)?.mask).toBe(id);
  });

  it('knows no part of another class, and every part that the release gives these five', () => {
    expect(groupOfPart('cat', 'muzzle')).toBeNull();
    expect(groupOfPart('person', 'head')).toBeNull();
    for (const { id } of pascalPart.parts) {
      const [className = '', token = ''] = id.split(':');
      if (FIVE.includes(className)) expect(groupOfPart(className, token)).not.toBeNull();
    }
  });

  it('labels an image by its largest object, which keeps shared pixels', async () => {
    const [image] = await imagesOf(await sceneDataset('pascal-part', 1, { classNames: ['cat'] }));
    if (!image) throw new Error('no image');
    const strip = (from: number, to: number) =>
      fromBitmap(
        Uint8Array.from({ length: image.width * image.height }, (_, i) =>
          i % image.width >= from && i % image.width < to ? 1 : 0,
        ),
        image.height,
        image.width,
      );
    const made = { source: 'generator', confidence: 1 } as const;
    const thing = (className: string, from: number, to: number, instance: number) => ({
      className,
      instance,
      outline: { ...made, mask: strip(from, to) },
      parts: [{ ...made, id: `${className}:torso`, mask: strip(from, to) }],
      absent: [],
    });
    const grouped = groupParts({ ...image, objects: [thing('cat', 0, 10, 1), thing('dog', 5, 30, 2)] });
    expect(grouped?.className).toBe('dog');
    // Painted last, the largest object is on top.
    expect(grouped?.layers.map(({ value }) => value)).toEqual([12, 15]);
    expect(groupParts({ ...image, objects: [thing('cat', 0, 10, 1), thing('horse', 5, 30, 2)] })).toBeNull();
  });
});

describe('a researcher trains the part-model code on PASCAL-Part', () => {
  it('writes the five classes in every split, pairs by bare name, and reads its ids back', async () => {
    const dataset = await sceneDataset('pascal-part-grouped', 15);
    const files = await written(apm, dataset);
    for (const split of ['train', 'val', 'test'])
      for (const kind of ['images', 'panoptic-parts'])
        expect(
          [...files.keys()]
            .filter((path) => path.startsWith(`${kind}/${split}/`) && path.endsWith('/'))
            .map((path) => path.split('/')[2])
            .sort(),
        ).toEqual(FIVE);
    const bare = (ending: string) =>
      [...files.keys()]
        .filter((path) => path.endsWith(ending))
        .map((path) => stem(path.split('/').at(-1) ?? ''))
        .sort();
    expect(bare('.jpg')).toEqual(bare('.tif'));
    const read = byStem((await readBack(apm, files)).images);
    for (const image of await imagesOf(dataset)) {
      const back = read.get(stem(image.name));
      expect(back).toMatchObject({ className: image.className, split: image.split });
      expect(partsRead(back as never)).toEqual(visibleParts(dataset, image));
    }
  });

  it('leaves out images of other classes and says how many', async () => {
    const dataset = await sceneDataset('pascal-part', 9, { classNames: ['dog', 'horse', 'car'] });
    const { losses, refusals } = await apm.check(dataset, {});
    expect(refusals).toEqual([]);
    expect(losses.join(' ')).toContain('3 images are left out');
    const files = await written(apm, dataset);
    expect([...files.keys()].filter((path) => path.endsWith('.tif'))).toHaveLength(6);
  });
});

describe('PASCAL-Part as it was released', () => {
  it('reads back every mask, and has the shape that readers go by', async () => {
    const dataset = await sceneDataset('pascal-part', 6, { classNames: ['dog', 'boat', 'car'] });
    const files = await written(pascal, dataset);
    const images = await imagesOf(dataset);
    const read = byStem((await readBack(pascal, files)).images);
    for (const image of images) {
      const back = read.get(stem(image.name));
      const all = (objects: typeof image.objects) =>
        objects.map(({ className, instance, outline, parts }) => ({
          className,
          instance,
          outline: outline && encodeCounts(outline.mask),
          parts: parts.map(({ id, mask }) => `${id} ${encodeCounts(mask)}`).sort(),
        }));
      expect(all(back?.objects ?? [])).toEqual(all(image.objects));
      expect(back).toMatchObject({ split: image.split, width: image.width, height: image.height });
    }
    const structOf = async (name = '') => {
      const anno = (await decodeMat(files.get(`Annotations_Part/${stem(name)}.mat`) as Uint8Array)).get(
        'anno',
      );
      return (anno as Extract<MatValue, { kind: 'struct' }>).items[0]?.objects as Extract<
        MatValue,
        { kind: 'struct' }
      >;
    };
    const dog = await structOf(images[0]?.name);
    expect(dog).toMatchObject({ rows: 1, columns: 1, fields: ['class', 'class_ind', 'mask', 'parts'] });
    expect(dog.items[0]?.class_ind).toMatchObject({ values: Float64Array.of(12) });
    expect(dog.items[0]?.mask).toMatchObject({
      rows: images[0]?.height,
      columns: images[0]?.width,
      isLogical: true,
    });
    const boat = await structOf(images[1]?.name);
    expect(boat.items[0]?.parts).toMatchObject({ rows: 0, columns: 0, fields: ['part_name', 'mask'] });
    const car = await structOf(images[2]?.name);
    const carParts = car.items[0]?.parts as typeof car | undefined;
    const names = carParts?.items.map(({ part_name }) => part_name);
    expect(names).toContainEqual({ kind: 'text', text: 'wheel_1' });
    // Readers open every file of the folder.
    expect(
      [...files.keys()].filter((path) => path.startsWith('Annotations_Part/') && !path.endsWith('.mat')),
    ).toEqual([]);
  });

  it('refuses merged parts, which its readers would not find', async () => {
    const { refusals } = await pascal.check(
      await sceneDataset('pascal-part-grouped', 3, { classNames: ['dog'] }),
      { ids: 'original' },
    );
    expect(refusals[0]?.what).toContain('does not know');
    expect(refusals.flatMap(({ examples }) => examples).join()).toContain('dog:legs');
  });
});

describe('PASCAL Panoptic Parts', () => {
  it('keeps ranges of numbers for parts that are counted', () => {
    const range = (id: string) => [numbersOf(id)[0], numbersOf(id).at(-1)];
    expect(range('aeroplane:engine')).toEqual([6, 15]);
    expect(range('aeroplane:wheel')).toEqual([16, 25]);
    expect(range('car:door')).toEqual([10, 19]);
    expect(range('bus:window')).toEqual([40, 59]);
    expect(range('motorbike:headlight')).toEqual([5, 14]);
    expect(range('train:croofside')).toEqual([67, 76]);
    expect(range('bicycle:headlight')).toEqual([6, 6]);
    expect(range('dog:muzzle')).toEqual([18, 18]);
  });

  it('is compressed by LZW, has no part without instance, and reads back', async () => {
    const dataset = await sceneDataset('pascal-part', 6, { classNames: ['car', 'person'] });
    const files = await written(panoptic, dataset);
    const [image] = await imagesOf(dataset);
    const map = files.get(`training/${stem(image?.name ?? '')}.tif`) as Uint8Array;
    const view = new DataView(map.buffer, map.byteOffset, map.byteLength);
    const at = view.getUint32(4, true) + 2 + 3 * 12;
    expect([view.getUint16(at, true), view.getUint16(at + 8, true)]).toEqual([259, 5]);
    for (const value of new Set((await decodeTiff(map)).pixels))
      if (value !== 0) expect(String(value)).toMatch(/^\d{4,7}$/);
    const read = byStem((await readBack(panoptic, files)).images);
    for (const each of await imagesOf(dataset))
      expect(partsRead(read.get(stem(each.name)) as never)).toEqual(visibleParts(dataset, each));
  });
});

describe('an empty version', () => {
  it.each([apm, pascal, panoptic])('is refused before a byte is written: $id', async (format) => {
    const { refusals } = await format.check(datasetOf(pascalPart, []), {});
    expect(refusals.map(({ what }) => what).join()).toContain('no images');
  });
});
