import { describe, expect, it } from 'vitest';
import { format } from '@/lib/formats/coco';
import { readBack, treeOf, written } from '../support/formats';
import { attributeDataset, partDataset, streetDataset } from './support/datasets';
import { labelsOfDataset, labelsOfSource } from './support/labels';

const json = (files: ReadonlyMap<string, Uint8Array>, path: string) =>
  JSON.parse(new TextDecoder().decode(files.get(path)));

describe('COCO instances', () => {
  it.each([
    ['parts with holes', partDataset],
    ['attributes', attributeDataset],
    ['several objects', streetDataset],
  ])('gives back %s bit by bit', async (_, make) => {
    const dataset = await make();
    for (const segmentation of ['rle', 'polygons']) {
      const files = await written(format, dataset, { segmentation });
      const { images, schema, notes } = await readBack(format, files);
      expect(labelsOfSource(images)).toEqual(await labelsOfDataset(dataset));
      expect(schema).toEqual(dataset.schema);
      expect(notes).toEqual([]);
    }
  });
});
