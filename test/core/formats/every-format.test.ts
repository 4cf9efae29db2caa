import { describe, expect, it } from 'vitest';
import { formats } from '@/lib/core/formats';
import { commonOptions, readOptions } from '@/lib/core/formats/options';
import { readBack, treeOf, written } from '../../support/formats';
import { datasetFor, imagesOf, labelsOfDataset, labelsOfSource } from './support/dataset-files';

/** Runs over the registry, so that a new format is tested without editing a list. */
describe.each(formats.map((format) => [format.id, format] as const))('the format %s', (id, format) => {
  it('has an id for the command line, a name and a summary', () => {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(formats.filter((other) => other.id === id || other.name === format.name)).toEqual([format]);
    expect(format.name).not.toBe('');
    expect(format.summary).toMatch(/\.$/);
  });

  it('has options with valid defaults and names of its own', () => {
    const options = [...commonOptions, ...format.options];
    expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
    const values = readOptions(options, {});
    expect(readOptions(options, values)).toEqual(values);
    expect(Object.keys(values).sort()).toEqual(options.map(({ name }) => name).sort());
  });

  it('writes the same files every time, at safe paths', async () => {
    const dataset = await datasetFor(format);
    const files = await written(format, dataset);
    expect(files.size).toBeGreaterThan(0);
    for (const path of files.keys()) {
      expect(path).not.toMatch(/^\/|\\|(^|\/)\.\.?(\/|$)/);
      expect(path).not.toBe('MANIFEST.sha256');
    }
    expect(await written(format, dataset)).toEqual(files);
  });

  // Overlays are written only.
  if (format.reader)
    it('recognizes its own files and reads every image back', async () => {
      const dataset = await datasetFor(format);
      const files = await written(format, dataset);
      const detection = await format.reader?.detect(treeOf(files));
      expect(detection?.certainty).toBeGreaterThan(0);
      expect(detection?.certainty).toBeLessThanOrEqual(1);
      const { images, schema, notes } = await readBack(format, files);
      // This format cuts objects out of pictures.
      if (id !== 'apm-cityscapes') expect(images).toHaveLength((await imagesOf(dataset)).length);
      const { losses } = await format.check(dataset, readOptions([...commonOptions, ...format.options], {}));
      if (losses.length > 0) return;
      expect(labelsOfSource(images)).toEqual(await labelsOfDataset(dataset));
      expect(schema).toEqual(dataset.schema);
      expect(notes).toEqual([]);
    });
});
