import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import { foreignSchema } from '@/lib/core/formats/general/foreign-schema';
import { readTar, tarMember } from '@/lib/core/formats/webdataset/tar';
import { treeOf, written } from '../../support/formats';
import { handmade } from './support/content';
import { partDataset } from './support/datasets';
import { readAllImages } from './support/read-all';

it('a list of more labels than a schema holds is refused, however long', () => {
  const labels = Array.from({ length: 300_000 }, (_, i) => ({ name: `#${i}` }));
  expect(() => foreignSchema('a.json', labels)).toThrow(/has 300000 classes; a schema can hold/);
  expect(
    foreignSchema(
      'a.json',
      [...Array(300_000)].map(() => ({ name: 'dog' })),
    ).schema.classes,
  ).toHaveLength(1);
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
