import { expect } from 'vitest';
import type { Dataset, DatasetImage, MaskLabel, ObjectLabel } from '@/lib/core/formats/dataset';
import type { Format, SourceImage } from '@/lib/core/formats/format';
import { encodeCounts, fullMask, type Mask, merge, rasterizeBox } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { datasetOf, readBack, sceneDataset, written } from '../../../support/formats';
import { imagesOf } from './dataset-files';

export const [WIDTH, HEIGHT] = [96, 72];
export const made = { source: 'generator', confidence: 1 } as const;
export const box = (x: number, y: number, width: number, height: number): Mask =>
  rasterizeBox([x, y, width, height], HEIGHT, WIDTH);

export function part(id: string, ...masks: Mask[]): MaskLabel {
  const label = { ...made, id, mask: merge(masks) };
  return masks.length > 1 ? { ...label, instances: masks } : label;
}

/** Cars with several wheels and a hub on a wheel, a person, a crowd of persons, a road and a sky. */
export const schema: DatasetSchema = {
  id: 'street',
  name: 'Street',
  description: 'Objects with instances of parts, parts of parts, and stuff.',
  classes: [
    { id: 'car', name: 'Car' },
    { id: 'person', name: 'Person' },
    { id: 'road', name: 'Road', kind: 'stuff' },
    { id: 'sky', name: 'Sky', kind: 'stuff' },
  ],
  attributeGroups: [],
  attributes: [],
  parts: [
    { id: 'car:wheel', name: 'Wheel', classes: ['car'], zOrder: 1, colour: '#aa0000', numbered: true },
    {
      id: 'car:hub',
      name: 'Hub',
      classes: ['car'],
      zOrder: 3,
      colour: '#00aa00',
      parent: 'car:wheel',
      numbered: true,
    },
    { id: 'car:door', name: 'Door <left> & "right"', classes: ['car'], zOrder: 0, colour: '#0000aa' },
    { id: 'head', name: 'Head', classes: ['car', 'person'], zOrder: 2, colour: '#00aaaa' },
  ],
};

export const object = (
  className: string,
  instance: number,
  outline: Mask | null,
  parts: MaskLabel[] = [],
  flags?: NonNullable<ObjectLabel['outline']>['flags'],
): ObjectLabel => ({
  className,
  instance,
  outline: outline && { ...made, mask: outline, ...(flags && { flags }) },
  parts,
  absent: [],
});

/** No two of the same level overlap, so that layouts with one label per pixel hold everything. */
export const objects = (): ObjectLabel[] => [
  object('car', 1, box(4, 10, 40, 30), [
    part('car:wheel', box(6, 30, 8, 8), box(30, 30, 8, 8), box(18, 32, 6, 6)),
    part('car:hub', box(8, 32, 3, 3), box(32, 32, 3, 3)),
    part('car:door', box(16, 14, 12, 10)),
  ]),
  object('car', 2, box(50, 12, 20, 20), [part('car:wheel', box(52, 24, 5, 5))], ['occluded', 'truncated']),
  object('person', 3, box(74, 14, 8, 18), [part('head', box(76, 15, 4, 4))]),
  object('road', 4, box(0, 52, 96, 20)),
  object('sky', 5, box(0, 0, 96, 8)),
];

export async function streetDataset(
  change: (image: DatasetImage) => DatasetImage = (image) => image,
): Promise<Dataset> {
  const scenes = await imagesOf(
    await sceneDataset('pascal-part', 2, { classNames: ['car'], splits: ['train', 'val'] }),
  );
  return datasetOf(
    schema,
    scenes.map((image) => change({ ...image, className: 'car', attributes: null, objects: objects() })),
    ['train', 'val'],
  );
}

export const describeParts = (parts: readonly MaskLabel[]) =>
  parts
    .map(({ id, mask, instances }) => [id, encodeCounts(mask), instances?.map(encodeCounts).sort() ?? null])
    .sort();
export const describeObjects = (list: readonly ObjectLabel[]) =>
  list
    .map(({ className, outline, parts }) => ({
      className,
      outline: outline && encodeCounts(outline.mask),
      parts: describeParts(parts),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
export const flagsOf = (list: readonly ObjectLabel[]) => list.map(({ outline }) => outline?.flags ?? []);

export async function roundTrip(format: Format, dataset: Dataset, options = {}): Promise<SourceImage[]> {
  const { images, notes } = await readBack(format, await written(format, dataset, options));
  expect(notes).toEqual([]);
  return images;
}

export function cut(mask: Mask, hole: Mask): Mask {
  const [a, b] = [mask, hole].map((each) => new Set(pixelsOf(each)));
  const rest = [...(a ?? [])].filter((pixel) => !b?.has(pixel));
  return merge(
    rest.map((pixel) => rasterizeBox([Math.floor(pixel / HEIGHT), pixel % HEIGHT, 1, 1], HEIGHT, WIDTH)),
  );
}

export const pixelsOf = ({ toggles }: Mask): number[] => {
  const pixels: number[] = [];
  for (let i = 0; i + 1 < toggles.length; i += 2)
    for (let at = toggles[i] as number; at < (toggles[i + 1] as number); at++) pixels.push(at);
  return pixels;
};

export const tiny = fullMask(3, 4);
export const jpg = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);
export const rle = (mask: Mask) => ({ size: [3, 4], counts: encodeCounts(mask) });
export const dot = (x: number, y: number, width = 1, height = 1) => rasterizeBox([x, y, width, height], 3, 4);
