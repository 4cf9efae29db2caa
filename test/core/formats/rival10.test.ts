import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromBase64 } from '@/lib/core/formats/codecs/bytes';
import { encodeJpegMask } from '@/lib/core/formats/codecs/jpeg';
import { decodeNpy } from '@/lib/core/formats/codecs/npy';
import { decodePickle } from '@/lib/core/formats/codecs/pickle';
import { decodePng } from '@/lib/core/formats/codecs/png';
import type { Dataset, DatasetImage } from '@/lib/core/formats/dataset';
import { format } from '@/lib/core/formats/rival10';
import { equals, type Mask, scaleByArea, toBitmap } from '@/lib/core/mask';
import { readBack, sceneDataset, treeOf, written } from '../../support/formats';
import { byStem, imagesOf, outlineOf } from './support/dataset-files';

const base = (image: DatasetImage) =>
  `RIVAL10/${image.split}/ordinary/${image.wnid}_${image.name.replace(/\.\w+$/, '')}`;

describe('a researcher opens an export with the RIVAL10 loader', () => {
  let dataset: Dataset;
  let images: DatasetImage[];
  let files: Map<string, Uint8Array>;

  beforeAll(async () => {
    dataset = await sceneDataset('rival10', 20, { splits: ['train', 'test'], width: 120, height: 90 });
    images = await imagesOf(dataset);
    files = await written(format, dataset);
  });

  it('finds four files per sample, the picture at 224 × 224', async () => {
    for (const image of images) {
      const beside = ['.JPEG', '_attr_labels.npy', '_merged_mask.JPEG', '_attr_dict.pkl'];
      for (const ending of beside) expect(files.has(`${base(image)}${ending}`)).toBe(true);
    }
    const {
      width,
      height,
      format: kind,
    } = await sharp(files.get(`${base(images[0] as DatasetImage)}.JPEG`)).metadata();
    expect([width, height, kind]).toEqual([224, 224, 'jpeg']);
  });

  it('finds two rows of 18 numbers in the order of the release', () => {
    for (const image of images) {
      const { shape, values } = decodeNpy(files.get(`${base(image)}_attr_labels.npy`) as Uint8Array);
      expect(shape).toEqual([2, 18]);
      expect(values.slice(18).every((value) => value === 0)).toBe(true);
      const order =
        'long-snout wings wheels text horns floppy-ears ears colored-eyes tail mane beak hairy metallic rectangular wet long tall patterned';
      const present = order.split(' ').filter((_, i) => values[i] === 1);
      expect(present).toEqual(order.split(' ').filter((id) => image.attributes?.present.includes(id)));
    }
  });

  it('finds masks as RGB of 0 and 255, whole-object attributes as the object', async () => {
    for (const image of images.slice(0, 6)) {
      const dict = decodePickle(files.get(`${base(image)}_attr_dict.pkl`) as Uint8Array);
      const whole = await decodePng(fromBase64(dict.get('entire-object') as string));
      expect([whole.width, whole.height, whole.channels, whole.depth]).toEqual([224, 224, 3, 8]);
      expect(new Set(whole.pixels)).toEqual(new Set([0, 255]));
      const expected = toBitmap(scaleByArea(outlineOf(image.objects[0] as never), 224, 224));
      const red = whole.pixels.filter((_, i) => i % 3 === 0) as Uint8Array;
      expect(
        Buffer.compare(
          red,
          expected.map((bit) => 255 * bit),
        ),
      ).toBe(0);
      for (const [name, text] of dict)
        if (['hairy', 'metallic', 'tall'].includes(name)) expect(text).toBe(dict.get('entire-object'));
    }
  });

  it('finds the merged mask and the object mask as JPEG, true to a grey level or two', async () => {
    const image = images[0] as DatasetImage;
    const seen = await sharp(
      files.get(`RIVAL10/${image.split}/entire_object_masks/${base(image).split('/').at(-1)}.JPEG`),
    )
      .extractChannel(0)
      .raw()
      .toBuffer();
    const expected = toBitmap(scaleByArea(outlineOf(image.objects[0] as never), 224, 224));
    expect(seen.every((value, i) => Math.abs(value - 255 * (expected[i] as number)) <= 2)).toBe(true);
    const noise = Uint8Array.from({ length: 50 * 37 }, (_, i) => (i * i * 7) % 256);
    const back = await sharp(encodeJpegMask(noise, 50, 37))
      .extractChannel(0)
      .raw()
      .toBuffer();
    expect(back.length).toBe(noise.length);
    expect(back.every((value, i) => Math.abs(value - (noise[i] as number)) <= 2)).toBe(true);
  });

  it('finds its split, by WordNet id and name', () => {
    const split = JSON.parse(
      new TextDecoder().decode(files.get('RIVAL10/meta/train_test_split_by_url.json')),
    );
    expect(split.train).toHaveLength(10);
    expect(split.test).toHaveLength(10);
    const [wnid, file] = (split.train[0] as string).split('/').slice(-2);
    expect(files.has(`RIVAL10/train/ordinary/${wnid}_${file}`)).toBe(true);
    expect(files.has(`RIVAL10/train/entire_object_masks/${wnid}_${file}`)).toBe(true);
  });

  it('reads back what was written, bit by bit when the size is kept', async () => {
    const stored = await written(format, dataset, { size: 0 });
    const { images: read, notes } = await readBack(format, stored);
    expect(notes).toEqual([]);
    const known = byStem(read);
    const colours = 'white black grey silver brown blue red yellow green orange'.split(' ');
    for (const image of images) {
      const back = known.get(image.name.replace(/\.\w+$/, ''));
      expect(back).toMatchObject({ className: image.className, wnid: image.wnid, split: image.split });
      expect([...(back?.attributes?.present ?? [])].sort()).toEqual(
        image.attributes?.present.filter((id) => !colours.includes(id)).sort(),
      );
      const drawn = (labels: readonly { id: string; mask: Mask }[]) =>
        [...labels].sort((a, b) => (a.id < b.id ? -1 : 1));
      const [ours, theirs] = [drawn(image.attributeMasks), drawn(back?.attributeMasks ?? [])];
      expect(theirs.map(({ id }) => id)).toEqual(ours.map(({ id }) => id));
      for (const [i, { mask }] of ours.entries()) expect(equals(theirs[i]?.mask as Mask, mask)).toBe(true);
      expect(equals(outlineOf(back?.objects[0] as never), outlineOf(image.objects[0] as never))).toBe(true);
    }
    expect((await format.reader?.detect(treeOf(stored)))?.certainty).toBeGreaterThan(0.9);
  });

  it('refuses what the loader would mistake', async () => {
    const broken = await sceneDataset('rival10', 4, {
      classNames: ['dog'],
      change: (image, index) =>
        [
          { ...image, className: 'unicorn' },
          { ...image, wnid: 'n02123394' },
          { ...image, attributes: null },
          { ...image, name: 'a_merged_mask_1.jpg' },
        ][index] as DatasetImage,
    });
    const { refusals } = await format.check(broken, { size: 224 });
    const said = refusals.map(({ what }) => what).join(' ');
    for (const word of ['does not know', 'another class', 'merged_mask']) expect(said).toContain(word);
  });

  it('gets only pictures whose attributes somebody was asked for, and is told how many are missing', async () => {
    const dataset = await sceneDataset('rival10', 4, {
      change: (image, index) => (index === 0 ? { ...image, attributes: null } : image),
    });
    const { refusals, losses } = await format.check(dataset, { size: 224 });
    expect(refusals).toEqual([]);
    expect(losses.join(' ')).toContain(
      '1 images that nobody was asked the attributes of are left out; 3 are',
    );
    const files = [...(await written(format, dataset)).keys()];
    expect(files.filter((file) => file.endsWith('_attr_labels.npy'))).toHaveLength(3);
    const none = await sceneDataset('rival10', 2, { change: (image) => ({ ...image, attributes: null }) });
    const { refusals: all } = await format.check(none, { size: 224 });
    expect(all.map(({ what }) => what).join(' ')).toContain('No image was asked');
  });
});
