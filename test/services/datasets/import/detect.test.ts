import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';
import { formats } from '@/lib/core/formats';
import { readFooter } from '@/lib/core/formats/hf-parquet/footer';
import { openShard } from '@/lib/core/formats/hf-parquet/read';
import { chooseFormat, detectFormat } from '@/lib/services/datasets/import/source-trees';
import { verifyParquet } from '@/lib/services/datasets/import/verify-parquet';
import { datasetFor, handmade, partDataset, tinyPng } from '@/test/core/formats/support/dataset-files';
import { treeOf, written } from '@/test/support/formats';

describe('what files are is found out', () => {
  it.each(formats.filter(({ reader }) => reader).map((format) => [format.id, format] as const))(
    'of %s',
    async (id, format) => {
      const tree = treeOf(await written(format, await datasetFor(format)));
      const guesses = await detectFormat(tree);
      expect(guesses[0]?.format).toBe(id);
      expect(guesses[0]?.because).toMatch(/\d|\//);
      // As people zip folders: everything lies in one more.
      const deeper = {
        paths: tree.paths.map((path) => `my set/${path}`),
        bytes: (path: string) => tree.bytes(path.slice(7)),
      };
      expect((await detectFormat(deeper))[0]?.format).toBe(id);
    },
  );

  it('of pictures alone nothing is guessed', async () => {
    expect(
      await detectFormat(
        handmade({ 'dog/a.png': tinyPng, 'cat/b.jpg': tinyPng, 'classes.csv': 'file,class\na.png,dog\n' }),
      ),
    ).toEqual([]);
  });
});

describe('label files that are too large to look at', () => {
  const coco = {
    images: [{ id: 1, file_name: 'a.png', width: 4, height: 4 }],
    categories: [{ id: 1, name: 'dog' }],
    annotations: [{ id: 1, image_id: 1, category_id: 1, segmentation: [[0, 0, 2, 0, 2, 2]] }],
  };
  const files = { 'labels.json': JSON.stringify(coco), 'a.png': tinyPng };
  const size = files['labels.json'].length;
  const ms = 60_000;

  it('are refused in words, and never reach a parser', async () => {
    await expect(detectFormat(handmade(files), { bytes: size - 1, ms })).rejects.toMatchObject({
      kind: 'too-large',
      message: expect.stringContaining('Specify the format'),
    });
    expect((await detectFormat(handmade(files), { bytes: 3 * size, ms }))[0]?.format).toBe('coco');
  });

  it('are read no further once the budget is spent, however many there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${n}.json`, '{"shapes": 1}']));
    const tree = handmade(many);
    let read = 0;
    const counted = {
      paths: tree.paths,
      async bytes(path: string) {
        const bytes = await tree.bytes(path);
        read += bytes.length;
        return bytes;
      },
    };
    await detectFormat(counted, { bytes: 100, ms }).catch(() => {});
    expect(read).toBeLessThanOrEqual(100 + 13);
  });

  it('are read no longer than there is time', async () => {
    await expect(detectFormat(handmade(files), { bytes: size * 3, ms: -1 })).rejects.toMatchObject({
      kind: 'too-large',
    });
  });

  it('are no trouble where the format is said', async () => {
    const { format } = await chooseFormat(handmade(files), 'coco', { bytes: 0, ms: -1 });
    expect(format.id).toBe('coco');
  });
});

const never = new AbortController().signal;
const endless = readFileSync(path.join(projectFolder, 'test/fixtures/endless.parquet'));

it('a Parquet file on which the decoder goes round in circles is refused, and does not hang the worker', async () => {
  const tree = treeOf(new Map([['data/train-0.parquet', endless]]));
  await expect(verifyParquet(tree, never, { timeoutMs: 8_000 })).rejects.toThrow(
    'data/train-0.parquet is damaged or not a Parquet file (it did not reply within 8 s)',
  );
});

const parquet = formats.find(({ id }) => id === 'hf-parquet');

/** A file that is nothing but a footer of these bytes. */
function footerOf(...parts: (number[] | Buffer)[]): Buffer {
  const footer = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]);
}

/** Makes a footer of sixteen bytes, whose length, read as a part of it, ends a column: then come two thousand million more. */
const sixteenth = [0x18, 7, 1, 1, 1, 1, 1, 1, 1];

it.each([
  ['promises two thousand million columns', footerOf(sixteenth, [0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07])],
  ['promises as many groups of rows', footerOf(sixteenth, [0x39, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07])],
  ['holds a number of half a million digits', footerOf([0x36], Buffer.alloc(500_000, 0xff), [1, 0])],
  ['is nested a hundred thousand times', footerOf(Buffer.alloc(100_000, 0x1c))],
  ['is lists of lists of lists', footerOf(Buffer.alloc(100_000, 0x19))],
  ['has a name longer than itself', footerOf([0x29, 0x1c, 0x48, 0xff, 0xff, 0xff, 0xff, 0x07])],
  ['says that it is longer than the file', Buffer.from('PAR1\xff\xff\xff\x7fPAR1', 'latin1')],
  ['is not there', Buffer.from('PAR1')],
  ['is a map, which no footer has', footerOf([0x1b, 0])],
])('a Parquet file whose footer %s is no dataset, and does not hang the web server', async (_, bytes) => {
  expect(await parquet?.reader?.detect(treeOf(new Map([['data/train-0.parquet', bytes]])))).toBeNull();
});

it('a footer is read as the library reads it', async () => {
  if (!parquet) throw new Error('There is the format.');
  const tree = treeOf(await written(parquet, await partDataset()));
  for (const path of tree.paths.filter((each) => each.endsWith('.parquet'))) {
    const { metadata } = await openShard(tree, path);
    const { columns, rows, notes } = readFooter(await tree.bytes(path));
    expect(columns).toEqual(
      metadata.schema.map(({ name, num_children }) => ({ name, children: num_children ?? 0 })),
    );
    expect(BigInt(rows)).toBe(metadata.num_rows);
    expect([...notes]).toEqual(metadata.key_value_metadata?.map(({ key, value }) => [key, value]));
  }
});

it('what ends the process of the decoder ends that process only, and a file in order is let through', async () => {
  const format = formats.find(({ id }) => id === 'hf-parquet');
  if (!format) throw new Error('There is the format.');
  const good = treeOf(await written(format, await partDataset()));
  await expect(verifyParquet(good, never, { memoryMb: 10 })).rejects.toThrow('its process ended');
  const none = treeOf(new Map([['a.parquet', Buffer.from('PAR1')]]));
  await expect(verifyParquet(none, never)).rejects.toThrow('no whole Parquet file');
  await verifyParquet(good, never);
});
