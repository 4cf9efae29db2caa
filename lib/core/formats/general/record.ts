import { area, boundingBox, encodeCounts } from '@/lib/core/mask';
import type { DatasetImage } from '../dataset';
import type { RawThing } from './assemble';
import { factsOf } from './facts';
import type { LabelTable } from './label-table';
import type { Notes } from './notes';
import { maskFault, readSegmentation } from './segmentation';
import { thingsOf } from './things';
import { listOf } from './tree';

/** All that is known of an image, with its masks as COCO's runs: one JSON object for formats that are rows of samples. */
export function recordOf(image: DatasetImage, table: LabelTable) {
  const { name, width, height, split } = image;
  return {
    name,
    width,
    height,
    split,
    ...factsOf(image),
    masks: thingsOf(image).map((thing) => ({
      kind: thing.kind,
      label: table.labels[table.indexOf(thing)]?.name ?? thing.id,
      instance: thing.instance,
      bbox: boundingBox(thing.mask),
      area: area(thing.mask),
      size: [height, width],
      counts: encodeCounts(thing.mask),
      source: thing.source,
      confidence: thing.confidence,
    })),
  };
}

const sizeOf = (given: unknown): unknown =>
  Array.isArray(given) ? given.map((side) => (typeof side === 'bigint' ? Number(side) : side)) : given;

/** The masks of a record; faults are noted. */
export function rawOfRecord(
  masks: unknown,
  size: { width: number; height: number },
  notes: Notes,
  where: string,
): RawThing[] {
  return listOf(masks).flatMap((row) => {
    try {
      if (typeof row.label !== 'string') throw new Error('has no label');
      const mask = readSegmentation({ size: sizeOf(row.size), counts: row.counts }, size);
      const instance = Number(row.instance);
      return [
        { name: row.label, instance: Number.isInteger(instance) && instance < 1e6 ? instance : null, mask },
      ];
    } catch (error) {
      notes.add(`masks of which one ${maskFault(error)} were left out`, where);
      return [];
    }
  });
}
