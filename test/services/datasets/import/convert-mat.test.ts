import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeMat, encodeMat } from '@/lib/core/formats/codecs/mat5';
import type { SourceTree } from '@/lib/core/formats/format';
import { format as pascalPart } from '@/lib/core/formats/pascal-part';
import { area } from '@/lib/core/mask';
import { type ConvertedTree, convertMatFiles } from '@/lib/services/datasets/import/convert-mat';
import { jpeg } from '../../images/ingest/files';

/** Written by h5py in the layout of MATLAB: masks of 12 × 16 pixels; an array of two objects, and a single object. */
const matlab = (name: string) => readFile(`test/fixtures/mat73/${name}.mat`);

const open: ConvertedTree[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each[Symbol.dispose]();
});

function converted(
  files: Readonly<Record<string, Uint8Array>>,
  signal = new AbortController().signal,
  limits = {},
): SourceTree {
  const tree = { paths: Object.keys(files), bytes: async (path: string) => files[path] as Uint8Array };
  const made = convertMatFiles(tree, signal, limits);
  open.push(made);
  return made.tree;
}

describe('MATLAB 7.3 files', () => {
  it('of PASCAL-Part are read as their older siblings are, and not called cut off', async () => {
    const tree = converted({
      'Annotations_Part/2008_000001.mat': await matlab('2008_000001'),
      'Annotations_Part/2008_000002.mat': await matlab('2008_000002'),
      'JPEGImages/2008_000001.jpg': await jpeg(),
      'JPEGImages/2008_000002.jpg': await jpeg(),
    });
    const source = await pascalPart.reader?.read(tree);
    const found = [];
    for await (const { name, objects, width, height } of source?.images() ?? [])
      found.push({ name, width, height, objects });
    expect(source?.notes).toEqual([]);
    const described = found.map(({ objects, ...rest }) => ({
      ...rest,
      objects: objects.map(({ className, outline, parts }) => [
        className,
        outline && area(outline.mask),
        parts.map(({ id, mask }) => [id, area(mask)]),
      ]),
    }));
    const size = { width: 16, height: 12 };
    expect(described).toEqual([
      {
        name: '2008_000001.jpg',
        ...size,
        objects: [
          [
            'dog',
            88,
            [
              ['dog:head', 15],
              ['dog:lfleg', 12],
            ],
          ],
          ['sofa', 104, []],
        ],
      },
      { name: '2008_000002.jpg', ...size, objects: [['car', 88, [['car:wheel', 12]]]] },
    ]);
  });

  it('next to their pictures are recognized', async () => {
    const tree = converted({
      'set/2008_000002.mat': await matlab('2008_000002'),
      'set/2008_000002.jpg': await jpeg(),
    });
    expect(await pascalPart.reader?.detect(tree)).toMatchObject({ certainty: 0.9 });
    const source = await pascalPart.reader?.read(tree);
    const names = [];
    for await (const { name, className } of source?.images() ?? []) names.push([name, className]);
    expect(names).toEqual([['2008_000002.jpg', 'car']]);
  });

  it('have the order of rows and columns that MATLAB gave them', async () => {
    const tree = converted({ 'a.mat': await matlab('2008_000002') });
    const anno = (await decodeMat(await tree.bytes('a.mat'))).get('anno');
    const object = anno?.kind === 'struct' ? anno.items[0]?.objects : undefined;
    const mask = object?.kind === 'struct' ? object.items[0]?.mask : undefined;
    if (mask?.kind !== 'matrix') throw new Error('no mask');
    expect([mask.rows, mask.columns, mask.isLogical]).toEqual([12, 16, true]);
    // Row 2 to 9, column 3 to 13, column by column.
    expect(mask.values[3 * 12 + 1]).toBe(0);
    expect(mask.values[3 * 12 + 2]).toBe(1);
    expect(mask.values[13 * 12 + 9]).toBe(1);
    expect(mask.values[14 * 12 + 9]).toBe(0);
  });

  it('that are damaged are refused one by one, and MATLAB 5 files pass unchanged', async () => {
    const whole = await matlab('2008_000001');
    const old = encodeMat('x', { kind: 'text', text: 'y' });
    const tree = converted({ 'cut.mat': whole.subarray(0, 3000), 'good.mat': whole, 'old.mat': old });
    await expect(tree.bytes('cut.mat')).rejects.toThrow('cut.mat cannot be read as a MATLAB 7.3 file');
    expect((await decodeMat(await tree.bytes('good.mat'))).has('anno')).toBe(true);
    expect(await tree.bytes('old.mat')).toBe(old);
  });

  it('with every byte range damaged end in a value or a refusal', async () => {
    const whole = await matlab('2008_000002');
    const files = Object.fromEntries(
      Array.from({ length: 24 }, (_, i) => {
        const bytes = Uint8Array.from(whole);
        bytes.fill(0xff, 600 + i * 500, 600 + i * 500 + 24);
        return [`${i}.mat`, bytes];
      }),
    );
    const tree = converted(files, undefined, { timeoutMs: 20_000 });
    for (const path of Object.keys(files)) {
      const outcome = await tree.bytes(path).then(
        (bytes) => bytes.length,
        (error: Error) => error.message,
      );
      expect(typeof outcome === 'number' || outcome.includes('cannot be read as')).toBe(true);
    }
  });

  it('end their process within its limit of memory, and are not converted after a cancellation', async () => {
    const whole = await matlab('2008_000001');
    const small = converted({ 'a.mat': whole }, undefined, { memoryMb: 10 });
    await expect(small.bytes('a.mat')).rejects.toThrow('its process ended');
    const cancelled = converted({ 'a.mat': whole }, AbortSignal.abort(new Error('stopped')));
    await expect(cancelled.bytes('a.mat')).rejects.toThrow('stopped');
  });
});
