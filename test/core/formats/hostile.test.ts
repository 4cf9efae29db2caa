import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import { decodeMat } from '@/lib/core/formats/codecs/mat5';
import { readTar, tarMember } from '@/lib/core/formats/codecs/tar';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import { proposeMapping, schemaOfMapping } from '@/lib/core/formats/mapping';
import { declaredStatistics } from '@/lib/core/formats/mapping/statistics';
import { splitLabelMap } from '@/lib/core/formats/shared/part-layers';

import { treeOf, written } from '../../support/formats';
import { handmade, partDataset, readAllImages } from './support/dataset-files';

it('a list of more labels than a schema holds is refused, however long', () => {
  const propose = (names: string[]) => {
    const statistics = declaredStatistics(names.map((name) => ({ name })));
    const { mapping } = proposeMapping({ statistics, known: null, project: null, origin: 'a.json' });
    return schemaOfMapping(mapping, null, { origin: 'a.json' });
  };
  const labels = Array.from({ length: 300_000 }, (_, i) => `#${i}`);
  expect(() => propose(labels)).toThrow(/has 300000 classes; a schema can hold/);
  expect(() => propose(labels.slice(0, 300))).toThrow(/has 300 classes; a schema can hold/);
  expect(propose([...Array(300_000)].map(() => 'dog')).classes).toHaveLength(1);
});

describe('tar', () => {
  it('gives back names and bytes, however long and in whatever script', () => {
    const members = [
      { name: 'a.jpg', bytes: new Uint8Array(513).fill(7) },
      { name: `${'犬'.repeat(60)}.json`, bytes: new Uint8Array(0) },
      { name: `${'x'.repeat(150)}.cls`, bytes: Uint8Array.of(1) },
    ];
    const tar = Buffer.concat(members.flatMap(({ name, bytes }) => [...tarMember(name, bytes)]));
    expect(tar.length % 512).toBe(0);
    const back = [...readTar(tar)].map(({ name, bytes }) => ({ name, bytes: Uint8Array.from(bytes) }));
    expect(back).toEqual(members);
    expect(() => [...readTar(tar.subarray(0, 600))]).toThrow(/cut off/);
    expect(() => [...readTar(Buffer.alloc(1024, 'x'))]).toThrow(/add up/);
  });
});

describe('every reader', () => {
  it.each(formats.filter(({ reader }) => reader).map((format) => [format.id, format] as const))(
    '%s meets cut off files with an error or a note, and guesses nothing about litter',
    async (_, format) => {
      const litter = handmade({
        'a.json': '{',
        'annotations/x.json': '[[[',
        'b.xml': '<a',
        'c.tar': 'x',
        'd.parquet': 'PAR1',
        'data.yaml': ':',
        'masks.csv': '"',
        'Annotations/e.xml': '',
      });
      expect(await format.reader?.detect(litter).catch((error: Error) => error.message)).toBeNull();
      if (format.kind !== 'general') return;
      const files = await written(format, await partDataset());
      const cut = new Map([...files].map(([name, bytes]) => [name, bytes.subarray(0, bytes.length >> 1)]));
      cut.set('tessera-schema.json', files.get('tessera-schema.json') as Uint8Array);
      const outcome = await readAllImages(format, treeOf(cut)).then(
        ({ images, notes }) => (images.every(({ objects }) => objects.length === 0) ? 'nothing' : notes),
        (error: Error) => error.message,
      );
      expect(outcome).not.toBe('');
    },
  );
});

/** A TIFF of bytes whose tiles all lie at the same place. */
function sharedTiles(width: number, height: number, tileWidth: number, tileHeight: number): Uint8Array {
  const count = Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight);
  const size = tileWidth * tileHeight;
  const lists = 8 + 2 + 8 * 12 + 4;
  const data = lists + 8 * count;
  const bytes = new Uint8Array(data + Math.min(size, 2 ** 17)).fill(7, data);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x002a4949, true);
  view.setUint32(4, 8, true);
  const tags: [tag: number, count: number, value: number][] = [
    [256, 1, width],
    [257, 1, height],
    [258, 1, 8],
    [262, 1, 1],
    [322, 1, tileWidth],
    [323, 1, tileHeight],
    [324, count, count > 1 ? lists : data],
    [325, count, count > 1 ? lists + 4 * count : size],
  ];
  view.setUint16(8, tags.length, true);
  tags.forEach(([tag, values, value], i) => {
    view.setUint16(10 + 12 * i, tag, true);
    view.setUint16(12 + 12 * i, 4, true);
    view.setUint32(14 + 12 * i, values, true);
    view.setUint32(18 + 12 * i, value, true);
  });
  for (let i = 0; i < count; i++) {
    view.setUint32(lists + 4 * i, data, true);
    view.setUint32(lists + 4 * (count + i), size, true);
  }
  return bytes;
}

describe('files made to fill the memory', () => {
  it('a TIFF whose huge tiles are all the same bytes is refused, one with common tiles is read', async () => {
    await expect(decodeTiff(sharedTiles(1000, 1, 1, 2 ** 18))).rejects.toThrow('far larger than the picture');
    const { pixels } = await decodeTiff(sharedTiles(300, 10, 256, 256));
    expect(pixels).toHaveLength(3000);
    expect(new Set(pixels)).toEqual(new Set([7]));
  });

  it('a photo given as a label map is refused before each of its colours becomes a mask', () => {
    const values = Int32Array.from({ length: 6000 }, (_, i) => i + 1);
    expect(() => splitLabelMap(values, 100, 60)).toThrow('more than 5000 labels');
    expect(splitLabelMap(values.subarray(0, 5000), 100, 50).size).toBe(5000);
  });

  const matrix = (cls: number, rows: number, columns: number, rest: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(128 + 8 + 40 + rest.length);
    bytes.set([0x00, 0x01, 0x49, 0x4d], 124);
    const view = new DataView(bytes.buffer);
    const words = [14, 40 + rest.length, 6, 8, cls, 0, 5, 8, rows, columns, 1, 0];
    words.forEach((word, i) => {
      view.setUint32(128 + 4 * i, word, true);
    });
    bytes.set(rest, 176);
    return bytes;
  };
  const words = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);

  it('a .mat file that says it is larger than any picture is refused', async () => {
    await expect(decodeMat(matrix(6, 100_000, 100_000, words(9, 8, 0, 0)))).rejects.toThrow('over the limit');
    await expect(decodeMat(matrix(6, 1, 1, words(9, 16, 0, 0, 0, 0)))).rejects.toThrow('as many numbers');
  });

  it('a .mat file of a million empty values is refused', async () => {
    const count = 2 ** 20;
    const cells = new Uint8Array(24 + 8 * count);
    // Names of four letters, one of them; then empty arrays, each a tag of type 14 and no length.
    cells.set(words((4 << 16) | 5, 4, 1, 4, 0x61, 0));
    const view = new DataView(cells.buffer);
    for (let i = 0; i < count; i++) view.setUint32(24 + 8 * i, 14, true);
    await expect(decodeMat(matrix(2, 1, count, cells))).rejects.toThrow('more values than any annotation');
  });
});
