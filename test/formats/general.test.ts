import { describe, expect, it } from 'vitest';
import { format as coco } from '@/lib/formats/coco';
import { format as cvat } from '@/lib/formats/cvat';
import { format as datumaro } from '@/lib/formats/datumaro';
import { format as hfParquet } from '@/lib/formats/hf-parquet';
import { format as labelStudio } from '@/lib/formats/label-studio';
import { format as labelme } from '@/lib/formats/labelme';
import { format as pngMasks } from '@/lib/formats/png-masks';
import { format as webdataset } from '@/lib/formats/webdataset';
import { readBack, treeOf, written } from '../support/formats';
import { attributeDataset, partDataset, streetDataset } from './support/datasets';
import { labelsOfDataset, labelsOfSource } from './support/labels';

/** Formats that hold all labels and every pixel. */
const whole = [coco, labelme, cvat, labelStudio, datumaro, hfParquet, webdataset, pngMasks];

describe.each(whole.map((format) => [format.id, format] as const))('%s', (_, format) => {
  it.each([
    ['parts with holes', partDataset],
    ['attributes', attributeDataset],
    ['several objects', streetDataset],
  ])('gives back %s, bit by bit', async (_, make) => {
    const dataset = await make();
    const files = await written(format, dataset);
    const { images, schema, notes } = await readBack(format, files);
    expect(labelsOfSource(images)).toEqual(await labelsOfDataset(dataset));
    expect(schema).toEqual(dataset.schema);
    expect(notes).toEqual([]);
    expect(await written(format, dataset)).toEqual(files);
  });

  it('recognises its own files, and no others do so more surely', async () => {
    const tree = treeOf(await written(format, await partDataset()));
    const own = await format.reader?.detect(tree);
    expect(own?.because).toMatch(/\w{3}/);
    for (const other of whole.filter(({ id }) => id !== format.id)) {
      const guess = await other.reader?.detect(tree);
      expect(`${other.id} ${guess?.certainty ?? 0}`).toBe(`${other.id} 0`);
    }
  });
});
