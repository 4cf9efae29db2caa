import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import type { Dataset, DatasetImage } from '@/lib/core/formats/dataset';
import type { Format } from '@/lib/core/formats/format';
import { commonOptions, readOptions } from '@/lib/core/formats/options';
import { emptyMask } from '@/lib/core/mask';
import type { ScenePreset } from '@/lib/demo/scenes';
import { datasetOf, sceneDataset, treeOf, written } from '@/test/support/formats';
import { imagesOf } from './support/dataset-files';

const given: readonly { id: string; preset: ScenePreset; options: Record<string, unknown> }[] = [
  { id: 'apm-part-imagenet', preset: 'part-imagenet', options: {} },
  { id: 'apm-cityscapes', preset: 'cityscapes-parts', options: { 'min-area': 100 } },
  { id: 'apm-pascal-part', preset: 'pascal-part-grouped', options: {} },
  { id: 'part-imagenet', preset: 'part-imagenet', options: {} },
  { id: 'part-imagenet-seg', preset: 'part-imagenet', options: {} },
  { id: 'cityscapes', preset: 'cityscapes-parts', options: {} },
  { id: 'cityscapes-panoptic-parts', preset: 'cityscapes-parts', options: {} },
  { id: 'pascal-part', preset: 'pascal-part', options: {} },
  { id: 'pascal-panoptic-parts', preset: 'pascal-part', options: {} },
  { id: 'rival10', preset: 'rival10', options: { size: 0 } },
];

const some: Partial<Record<ScenePreset, readonly string[]>> = {
  'part-imagenet': ['Car', 'Bird'],
  'pascal-part': ['dog', 'car'],
  'pascal-part-grouped': ['dog', 'car'],
  rival10: ['dog', 'plane'],
};

const made = new Map<ScenePreset, Promise<Dataset>>();
const datasetFor = (preset: ScenePreset) => {
  const known =
    made.get(preset) ?? sceneDataset(preset, 6, { classNames: some[preset] ?? ['car', 'person'] });
  made.set(preset, known);
  return known;
};

const formatOf = (id: string) => formats.find((format) => format.id === id) as Format;

describe.each(given)('$id', ({ id, preset, options }) => {
  const format = formatOf(id);
  const said = async (dataset: Dataset) =>
    (await format.check(dataset, readOptions([...commonOptions, ...format.options], options))).refusals;

  it('writes the same bytes each time, each file on its own, and nothing twice', async () => {
    const dataset = await datasetFor(preset);
    const once = await written(format, dataset, options);
    const again = await written(format, dataset, options);
    expect([...again.keys()]).toEqual([...once.keys()]);
    for (const [path, bytes] of once)
      expect(Buffer.compare(bytes, again.get(path) as Uint8Array), path).toBe(0);
  });

  it('is guessed from its files, and from them in a folder of their own', async () => {
    const files = await written(format, await datasetFor(preset), options);
    for (const folder of ['', 'my data/set 1/']) {
      const tree = treeOf(new Map([...files].map(([path, bytes]) => [folder + path, bytes])));
      const guesses = await Promise.all(
        formats.map(async (other) => ({
          id: other.id,
          sure: (await other.reader?.detect(tree))?.certainty ?? 0,
        })),
      );
      expect(guesses.sort((a, b) => b.sure - a.sure)[0]?.id).toBe(id);
      const source = await format.reader?.read(tree);
      let count = 0;
      for await (const image of source?.images() ?? []) {
        expect((await image.bytes()).length).toBeGreaterThan(0);
        count += 1;
      }
      expect(count).toBeGreaterThan(0);
    }
  });

  it('refuses an empty version, two images of one name, and masks of another size', async () => {
    const dataset = await datasetFor(preset);
    const images = await imagesOf(dataset);
    const [first] = images as [DatasetImage];
    expect((await said(datasetOf(dataset.schema, []))).map(({ what }) => what).join()).toContain('no images');
    const twice = await said(datasetOf(dataset.schema, [...images, { ...first, split: 'test' }]));
    expect(twice.map(({ what }) => what).join()).toContain('Two images have one name');
    const wide = { source: 'import', confidence: 1, mask: emptyMask(first.height, first.width + 1) } as const;
    const [object] = first.objects;
    const outside = { ...first, objects: object ? [{ ...object, outline: wide }] : [] };
    const sized = await said(datasetOf(dataset.schema, [outside, ...images.slice(1)]));
    expect(sized.map(({ what }) => what).join()).toContain('size of its image');
  });

  it('refuses classes and parts that its readers do not know, by name', async () => {
    const dataset = await datasetFor(preset);
    const images = await imagesOf(dataset);
    const strange = images.map((image) => ({
      ...image,
      className: 'unicorn',
      objects: image.objects.map((object) => ({ ...object, className: 'unicorn' })),
    }));
    const refusals = await said(datasetOf(dataset.schema, strange));
    const found = refusals.find(({ what }) => what.includes('does not know'));
    expect(found?.examples).toContain('unicorn');
  });

  it('survives files that are broken: what can be read is read, the rest is told', async () => {
    const files = await written(format, await datasetFor(preset), options);
    let index = 0;
    for (const [path, bytes] of files)
      if (/\.(tif|mat|npy|pkl)$|_instanceIds\.png$|^annotations.*\.png$/.test(path) && index++ % 2 === 0)
        files.set(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
    const source = await format.reader?.read(treeOf(files));
    for await (const image of source?.images() ?? []) expect(image.path).not.toBe('');
    if (index > 0 && id !== 'part-imagenet') expect(source?.notes.length).toBeGreaterThan(0);
  });
});
