import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import { commonOptions, readOptions } from '@/lib/core/formats/options';
import { datasetOf, readBack, written } from '@/test/support/formats';
import { datasetFor } from './support/dataset-files';

it('ids and names are unique', () => {
  expect(new Set(formats.map(({ id }) => id)).size).toBe(formats.length);
  expect(new Set(formats.map(({ name }) => name)).size).toBe(formats.length);
});

describe.each(formats.map((format) => [format.id, format] as const))('the format %s', (id, format) => {
  it('describes itself and its options', () => {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(format.name).not.toBe('');
    expect(format.summary).toMatch(/^[A-Z].*\.$/);
    const names = [...commonOptions, ...format.options].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const option of format.options) {
      expect(option.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(option.description).toMatch(/\.$/);
      // The default passes the check that applies to options given by people.
      expect(readOptions(format.options, { [option.name]: option.defaultValue })).toEqual(
        readOptions(format.options, {}),
      );
    }
  });

  it('refuses an empty version', async () => {
    const { schema } = await datasetFor(format);
    const { refusals } = await format.check(datasetOf(schema, []), readOptions(format.options, {}));
    expect(refusals.map(({ what }) => what).join()).toContain('no images');
  });

  it('states losses as sentences', async () => {
    const { losses } = await format.check(await datasetFor(format), readOptions(format.options, {}));
    for (const loss of losses) expect(loss).toMatch(/^[A-Z\d].*\.$/);
  });

  it('writes the same bytes each time, to relative paths that differ on every file system', async () => {
    const dataset = await datasetFor(format);
    const files = await written(format, dataset);
    const again = await written(format, dataset);
    expect([...again.keys()]).toEqual([...files.keys()]);
    for (const [path, bytes] of files)
      expect(Buffer.compare(bytes, again.get(path) as Uint8Array), path).toBe(0);
    const paths = [...files.keys()];
    for (const path of paths) expect(path).toMatch(/^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[^\\:*?"<>|]+$/);
    expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(paths.length);
  });

  // Overlays are written only.
  if (format.reader)
    it('reads its own files back, image by image', async () => {
      const { images, schema } = await readBack(format, await written(format, await datasetFor(format)));
      expect(images.length).toBeGreaterThan(0);
      expect(schema.classes.length).toBeGreaterThan(0);
      for (const image of images) expect((await image.bytes()).length).toBeGreaterThan(0);
    });
});
