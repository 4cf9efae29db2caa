import { beforeAll, describe, expect, it } from 'vitest';
import { format } from '@/lib/core/formats/apm-cityscapes';
import { decodePng } from '@/lib/core/formats/codecs/png';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import type { Dataset } from '@/lib/core/formats/dataset';
import { decodeUid, encodeUid } from '@/lib/core/formats/shared/panoptic-parts';
import { boundingBox } from '@/lib/core/mask';
import { cityscapesParts } from '@/lib/core/schema/presets';
import { readBack, sceneDataset, written } from '../../support/formats';
import { byStem, imagesOf, partsRead, visibleParts } from './support/dataset-files';

describe('panoptic-parts numbers', () => {
  it.each([
    [1, 1, -1, -1],
    [11, 11, -1, -1],
    [1002, 1, 2, -1],
    [11_002, 11, 2, -1],
    [100_203, 1, 2, 3],
    [1_100_203, 11, 2, 3],
  ])('%i is class %i, instance %i, part %i', (uid, sid, iid, pid) => {
    expect(decodeUid(uid)).toEqual({ sid, iid, pid });
    expect(encodeUid({ sid, iid, pid })).toBe(uid);
  });

  it('has no number for a part without instance, nor for what overflows', () => {
    expect(() => encodeUid({ sid: 24, iid: -1, pid: 3 })).toThrow();
    expect(() => encodeUid({ sid: 24, iid: 1000, pid: 3 })).toThrow();
    for (const uid of [-1, 100, 999, 10_000_000]) expect(() => decodeUid(uid)).toThrow();
  });
});

describe('a researcher trains the part-model code on road users', () => {
  let dataset: Dataset;

  beforeAll(async () => {
    dataset = await sceneDataset('cityscapes-parts', 9, {
      width: 320,
      height: 160,
      classNames: ['car', 'person', 'bus'],
    });
  });

  it('cuts out every road user, picture and map of one size and one name', async () => {
    const files = await written(format, dataset, { 'min-area': 400 });
    const pictures = [...files.keys()].filter((path) => path.endsWith('.png')).sort();
    const maps = [...files.keys()].filter((path) => path.endsWith('.tif')).sort();
    expect(pictures.length).toBeGreaterThan(9);
    // The code pairs the two sorted lists by position.
    expect(maps.map((path) => path.replace('panoptic-parts/', '').replace('.tif', ''))).toEqual(
      pictures.map((path) => path.replace('images/', '').replace('.png', '')),
    );
    for (const split of ['train', 'val', 'test'])
      for (const group of ['human', 'vehicle']) expect(files.has(`images/${split}/${group}/`)).toBe(true);
    for (const [i, path] of maps.entries()) {
      const { width, height, pixels } = await decodeTiff(files.get(path) as Uint8Array);
      const picture = await decodePng(files.get(pictures[i] as string) as Uint8Array);
      expect([picture.width, picture.height]).toEqual([width, height]);
      expect(pixels).toBeInstanceOf(Int32Array);
      for (const value of new Set(pixels)) expect(() => decodeUid(value)).not.toThrow();
      // The object in the name is in the cut, and of the kind of its folder.
      const [, sid = '', iid = ''] = /_(\d\d)(\d{3})\.tif$/.exec(path) ?? [];
      expect(path).toContain(Number(sid) < 26 ? '/human/' : '/vehicle/');
      expect([...new Set(pixels)].map(decodeUid)).toContainEqual(
        expect.objectContaining({ sid: Number(sid), iid: Number(iid) }),
      );
    }
  });

  it('cuts the same way each time, and another way without chance', async () => {
    const once = await written(format, dataset, { 'min-area': 400 });
    const again = await written(format, dataset, { 'min-area': 400 });
    expect([...again.keys()]).toEqual([...once.keys()]);
    for (const [path, bytes] of once) expect(Buffer.compare(bytes, again.get(path) as Uint8Array)).toBe(0);
    const fixed = await written(format, dataset, { 'min-area': 400, 'random-pad': false });
    expect(
      [...fixed].some(([path, bytes]) => Buffer.compare(bytes, once.get(path) as Uint8Array) !== 0),
    ).toBe(true);
  });

  it('reads whole pictures back, instance by instance and part by part', async () => {
    const files = await written(format, dataset, { crops: false });
    const { images } = await readBack(format, files);
    const read = byStem(images);
    for (const image of await imagesOf(dataset)) {
      const back = read.get(image.name.replace('.png', ''));
      const nameless = (parts: Record<string, string>) =>
        Object.entries(parts)
          .map(([key, counts]) => `${key.replace(/ \d+ /, ' ')} ${counts}`)
          .sort();
      expect(nameless(partsRead(back as never))).toEqual(nameless(visibleParts(dataset, image)));
    }
  });

  it('writes boxes of parts only, of which the lowest number keeps a shared pixel', async () => {
    const files = await written(format, dataset, { crops: false, labels: 'boxes' });
    for (const image of await imagesOf(dataset)) {
      const path = [...files.keys()].find((each) => each.endsWith(`/${image.name.replace('.png', '.tif')}`));
      const { width, pixels } = await decodeTiff(files.get(path as string) as Uint8Array);
      const wanted = new Int32Array(pixels.length);
      const uid = (className: string | null, instance: number, id: string) =>
        encodeUid({
          sid: cityscapesParts.classes.find((entry) => entry.id === className)?.codes?.sid ?? 0,
          iid: instance,
          pid: cityscapesParts.parts.find((part) => part.id === id)?.codes?.pid ?? 0,
        });
      const boxes = image.objects
        .flatMap(({ className, instance, parts }) =>
          parts.map(({ id, mask }) => ({ value: uid(className, instance, id), box: boundingBox(mask) })),
        )
        .sort((a, b) => a.value - b.value);
      for (const { value, box } of boxes)
        for (let y = box[1]; y < box[1] + box[3]; y++)
          for (let x = box[0]; x < box[0] + box[2]; x++) wanted[y * width + x] ||= value;
      expect(Buffer.compare(Buffer.from(wanted.buffer), Buffer.from(Int32Array.from(pixels).buffer))).toBe(0);
    }
  });

  it('refuses numbers over 999 and images with a class only before a byte is written', async () => {
    const [image] = await imagesOf(dataset);
    const broken = (change: object) => ({
      ...dataset,
      async *images() {
        yield { ...image, ...change } as never;
      },
    });
    const options = { crops: true, 'min-area': 1 };
    const object = image?.objects[0];
    const over = await format.check(broken({ objects: [{ ...object, instance: 1000 }] }), options);
    expect(over.refusals.map(({ what }) => what).join()).toContain('over 999');
    const none = await format.check(broken({ objects: [{ ...object, instance: 0 }] }), options);
    expect(none.refusals.map(({ what }) => what).join()).toContain('no instance');
    const classOnly = await format.check(broken({ hasMasks: false }), options);
    expect(classOnly.refusals.map(({ what }) => what).join()).toContain('class only');
  });
});
