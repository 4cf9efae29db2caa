import type { Dataset, DatasetImage, MaskLabel, ObjectLabel } from '@/lib/core/formats/dataset';
import { fromBitmap, type Mask } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';

/** A small schema that has everything: exclusive attributes, a localised one, parts of one class and of both. */
export const schema: DatasetSchema = {
  id: 'farm',
  name: 'Farm',
  description: 'Two animals.',
  classes: [
    { id: 'dog', name: 'Dog' },
    { id: 'hen', name: 'Hen' },
  ],
  attributeGroups: [
    { id: 'size', name: 'Size', attributes: ['small', 'large'], min: 1, max: 1, exclusiveNone: false },
    { id: 'skin', name: 'Skin', attributes: ['spots'], min: 0, max: 1, exclusiveNone: true },
  ],
  attributes: [
    { id: 'small', name: 'Small', kind: 'whole-object', definition: 'Fits on a hand.' },
    { id: 'large', name: 'Large', kind: 'whole-object', definition: 'Does not.' },
    { id: 'spots', name: 'Spots', kind: 'localised', definition: 'Spots.' },
  ],
  parts: [
    { id: 'head', name: 'Head', classes: ['dog', 'hen'], zOrder: 1, colour: '#aa0000' },
    { id: 'wing', name: 'Wing', classes: ['hen'], zOrder: 2, colour: '#00aa00' },
  ],
};

const by = { source: 'answer', confidence: 1 } as const;

/** The picture is 48 × 24; a box is left, top, width, height. */
export function box(x: number, y: number, width: number, height: number): Mask {
  const pixels = new Uint8Array(48 * 24);
  for (let row = y; row < y + height; row++) pixels.fill(1, row * 48 + x, row * 48 + x + width);
  return fromBitmap(pixels, 24, 48);
}

export const drawnAs = (id: string, mask: Mask): MaskLabel => ({ ...by, id, mask });

export const thing = (className: string | null, given: Partial<ObjectLabel> = {}): ObjectLabel => ({
  className,
  instance: 1,
  outline: null,
  parts: [],
  absent: [],
  ...given,
});

export const outlined = (mask: Mask) => ({ ...by, mask });

export function picture(
  name: string,
  className: string | null,
  { marks, ...given }: Partial<DatasetImage> & { marks?: string[] } = {},
): DatasetImage {
  return {
    name,
    className,
    wnid: null,
    groupKey: null,
    columns: {},
    split: 'train',
    width: 48,
    height: 24,
    picture: { sha256: name, mediaType: 'image/png' },
    attributes: marks ? { ...by, present: marks } : null,
    attributeMasks: [],
    objects: [],
    hasMasks: true,
    ...given,
  };
}

export const datasetOf = (
  images: readonly DatasetImage[],
  splits: readonly string[] = ['train', 'test'],
  of: DatasetSchema = schema,
): Dataset => ({
  name: 'farm',
  hash: 'f'.repeat(64),
  schema: of,
  splits,
  count: images.length,
  licence: '',
  async *images() {
    yield* images;
  },
});
