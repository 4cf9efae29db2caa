import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import type { Dataset } from '@/lib/core/formats/dataset';
import { readOptions } from '@/lib/core/formats/read-options';
import type { ScenePreset } from '@/lib/demo/scenes';
import { chooseFormat, detectFormat } from '@/lib/services/datasets/import/detect-format';
import { handmade, tinyPng } from '../../../core/formats/support/content';
import { sceneDataset, treeOf, written } from '../../../support/formats';

/** Each class in each of three splits. */
const sets: readonly [preset: ScenePreset, count: number, classNames?: string[]][] = [
  ['part-imagenet', 33],
  ['cityscapes-parts', 15],
  ['rival10', 30],
  ['pascal-part', 15, ['aeroplane', 'bird', 'car', 'cat', 'dog']],
];
const drawn = new Map<string, Promise<Dataset>>();

/** A dataset that the format can hold: those of one dataset's own layout want that dataset. */
async function writable(format: (typeof formats)[number]): Promise<Dataset> {
  for (const [preset, count, classNames] of sets) {
    const dataset = drawn.get(preset) ?? sceneDataset(preset, count, { classNames, width: 80, height: 60 });
    drawn.set(preset, dataset);
    const { refusals } = await format.check(await dataset, readOptions(format.options, {}));
    if (refusals.length === 0) return dataset;
  }
  throw new Error(`no dataset for ${format.id}`);
}

describe('what files are is found out', () => {
  it.each(formats.filter(({ reader }) => reader).map((format) => [format.id, format] as const))(
    'of %s',
    async (id, format) => {
      const tree = treeOf(await written(format, await writable(format)));
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
      message: expect.stringContaining('say which it is'),
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
