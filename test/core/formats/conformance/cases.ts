import { encodeJpegMask } from '@/lib/core/formats/codecs/jpeg';
import { encodePng } from '@/lib/core/formats/codecs/png';
import type { Dataset, DatasetImage, DrawnLabel, MaskLabel, ObjectLabel } from '@/lib/core/formats/dataset';
import type { Pictures } from '@/lib/core/formats/format';
import { difference, type Mask, merge, rasterizeBox } from '@/lib/core/mask';
import { cityscapesParts, rival10 } from '@/lib/core/schema/presets';
import type { DatasetSchema, LabelFlag } from '@/lib/core/schema/types';
import { datasetOf } from '@/test/support/formats';
import type { Seen } from './seen';

/** Generated projects: one for each property of labels that formats and their loaders treat differently. */
export const WIDTH = 48;
export const HEIGHT = 36;

const origin = { source: 'import', confidence: 1 } as const;

export const box = (x: number, y: number, width: number, height: number): Mask =>
  rasterizeBox([x, y, width, height], HEIGHT, WIDTH);

/** Names that a family of layouts requires for the same things. */
export interface Vocabulary {
  schema: DatasetSchema;
  car: string;
  person: string;
  road: string;
  parts: { body: string; wheel: string; head: string; torso: string };
  imageName(index: number): string;
  attributes: string[];
}

const part = (id: string, className: string, zOrder: number, more: object = {}) => ({
  id,
  name: id,
  classes: [className],
  zOrder,
  colour: '#336699',
  ...more,
});

const ownSchema: DatasetSchema = {
  id: 'own',
  name: 'Own',
  description: 'A schema of nobody else.',
  classes: [
    { id: 'car', name: 'Car' },
    { id: 'person', name: 'Person' },
    { id: 'road', name: 'Road', kind: 'stuff' },
  ],
  attributeGroups: [],
  attributes: [],
  parts: [
    part('body', 'car', 0),
    part('wheel', 'car', 1, { numbered: true }),
    part('torso', 'person', 0),
    part('head', 'person', 1),
  ],
};

export const own: Vocabulary = {
  schema: ownSchema,
  car: 'car',
  person: 'person',
  road: 'road',
  parts: { body: 'body', wheel: 'wheel', head: 'head', torso: 'torso' },
  imageName: (index) => `img${index}.jpg`,
  attributes: [],
};

const withRoad = (schema: DatasetSchema): DatasetSchema => ({
  ...schema,
  classes: [...schema.classes, { id: 'road', name: 'Road', kind: 'stuff' as const }],
});

export const street: Vocabulary = {
  schema: withRoad(cityscapesParts),
  car: 'car',
  person: 'person',
  road: 'road',
  parts: { body: 'vehicle-chassis', wheel: 'vehicle-wheels', head: 'human-head', torso: 'human-torso' },
  imageName: (index) => `aachen_${String(index).padStart(6, '0')}_000019.png`,
  attributes: [],
};

export const rival: Vocabulary = {
  ...own,
  schema: {
    ...withRoad(rival10),
    parts: [
      part('body', 'car', 0),
      part('wheel', 'car', 1, { numbered: true }),
      part('torso', 'dog', 0),
      part('head', 'dog', 1),
    ],
  },
  person: 'dog',
  attributes: ['wheels', 'metallic'],
};

const drawn = (mask: Mask, flags?: LabelFlag[]): DrawnLabel => ({ ...origin, mask, ...(flags && { flags }) });

const label = (id: string, ...masks: Mask[]): MaskLabel => ({
  ...origin,
  id,
  mask: merge(masks),
  ...(masks.length > 1 && { instances: masks }),
});

const object = (
  className: string | null,
  instance: number,
  more: Partial<ObjectLabel> = {},
): ObjectLabel => ({
  className,
  instance,
  outline: null,
  parts: [],
  absent: [],
  ...more,
});

const carOf = ({ car, parts }: Vocabulary, instance = 1): ObjectLabel =>
  object(car, instance, {
    outline: drawn(box(4, 6, 30, 22)),
    parts: [label(parts.body, box(5, 8, 26, 10)), label(parts.wheel, box(8, 20, 6, 6))],
  });

const personOf = ({ person, parts }: Vocabulary, instance = 1, dx = 0): ObjectLabel =>
  object(person, instance, {
    outline: drawn(box(10 + dx, 2, 12, 30)),
    parts: [label(parts.torso, box(11 + dx, 12, 10, 18)), label(parts.head, box(13 + dx, 3, 6, 7))],
  });

interface CaseSettings {
  id: string;
  name: string;
  /** Sentences of `check` about this property, if a format loses it. Null if no format can lose it. */
  loss: RegExp | null;
  /** Whether a loader sees the property. Where it does not, `check` must list a loss. */
  isSeen?(seen: readonly Seen[], vocabulary: Vocabulary): boolean;
  change?(image: DatasetImage, vocabulary: Vocabulary): DatasetImage;
  schema?(schema: DatasetSchema): DatasetSchema;
  /** Images per class and split. */
  perClass?: number;
  onlyCar?: boolean;
  options?: Record<string, unknown>;
}

const changeFirst =
  (change: (first: ObjectLabel, vocabulary: Vocabulary) => Partial<ObjectLabel>) =>
  (image: DatasetImage, vocabulary: Vocabulary): DatasetImage => ({
    ...image,
    objects: image.objects.map((entry, index) =>
      index === 0 ? { ...entry, ...change(entry, vocabulary) } : entry,
    ),
  });

const addObjects =
  (add: (vocabulary: Vocabulary, image: DatasetImage) => ObjectLabel[]) =>
  (image: DatasetImage, vocabulary: Vocabulary): DatasetImage => ({
    ...image,
    objects: [...image.objects, ...add(vocabulary, image)],
  });

/** Changes the first part of an object; both classes have one. */
const changePart = (change: (part: MaskLabel) => MaskLabel) =>
  changeFirst(({ parts }) => ({ parts: parts.map((entry, index) => (index === 0 ? change(entry) : entry)) }));

const ring = difference(box(6, 12, 20, 14), box(10, 15, 8, 6));

export const cases: readonly CaseSettings[] = [
  { id: 'plain', name: 'Outlines and parts', loss: null },
  {
    id: 'no-outlines',
    name: 'No outlines',
    loss: /union of their parts|without an outline/,
    change: changeFirst(() => ({ outline: null })),
  },
  {
    id: 'outlines-only',
    name: 'Outlines only',
    loss: /with the class only|outlines of objects are left out/i,
    change: changeFirst(() => ({ parts: [] })),
  },
  {
    id: 'holes',
    name: 'Holes',
    loss: null,
    change: changeFirst(({ parts }) => ({
      outline: drawn(ring),
      parts: parts.map((entry, index) => (index === 0 ? { ...entry, mask: ring } : entry)),
    })),
  },
  {
    id: 'pieces',
    name: 'Several pieces',
    loss: null,
    change: changeFirst(({ parts }) => ({
      outline: drawn(merge([box(2, 2, 10, 8), box(30, 20, 12, 10)])),
      parts: parts
        .slice(0, 1)
        .map((entry) => ({ ...entry, mask: merge([box(3, 3, 6, 4), box(32, 22, 6, 5)]) })),
    })),
  },
  {
    id: 'instances',
    name: 'Several instances',
    loss: /instances/,
    isSeen: (seen, { parts }) =>
      seen.some(
        ({ image, label }, index) =>
          label.startsWith(parts.wheel) &&
          seen.findIndex((other) => other.image === image && other.label === label) !== index,
      ),
    change: (image, vocabulary) =>
      image.className === vocabulary.car
        ? changeFirst((first) => ({
            parts: [
              ...first.parts.slice(0, 1),
              label(vocabulary.parts.wheel, box(8, 20, 6, 6), box(22, 20, 6, 6)),
            ],
          }))(image, vocabulary)
        : image,
  },
  {
    id: 'objects',
    name: 'Several objects',
    loss: /objects of one class in an image are not told apart|objects of an image become one|which parts belong/i,
    change: addObjects((vocabulary, { className }) =>
      className === vocabulary.car ? [personOf(vocabulary, 2, 24)] : [personOf(vocabulary, 2, 14)],
    ),
  },
  {
    id: 'overlaps',
    name: 'Overlaps',
    loss: /overlap|one label|in front keeps/i,
    change: changePart((entry) => ({ ...entry, mask: merge([entry.mask, box(8, 3, 14, 24)]) })),
  },
  { id: 'single-class', name: 'Single class', loss: null, onlyCar: true },
  {
    id: 'non-ascii',
    name: 'Non-ASCII names',
    loss: null,
    change: (image) => ({ ...image, name: `été漢${image.name}`, columns: { ort: 'Zürich' } }),
    schema: (schema) => ({
      ...schema,
      classes: schema.classes.map((entry) => ({ ...entry, name: `${entry.name} 車` })),
    }),
  },
  {
    id: 'stuff',
    name: 'Stuff',
    loss: /stuff/,
    isSeen: (seen, { road }) => seen.some(({ label }) => label === road),
    change: addObjects(({ road }) => [object(road, 9, { outline: drawn(box(0, 32, 48, 4)) })]),
  },
  {
    id: 'crowd',
    name: 'Crowd',
    loss: /crowd region/,
    isSeen: (seen) => seen.some(({ flags }) => flags?.includes('crowd')),
    change: addObjects(({ person }) => [object(person, 8, { outline: drawn(box(40, 0, 7, 9), ['crowd']) })]),
  },
  {
    id: 'ignore',
    name: 'Ignore',
    loss: /to ignore/,
    isSeen: (seen) => seen.some(({ label }) => label === 'void'),
    change: addObjects(() => [object(null, 7, { outline: drawn(box(0, 0, 3, 3), ['crowd']) })]),
  },
  {
    id: 'flags',
    name: 'Occluded, truncated',
    loss: /"occluded"|"truncated"/,
    isSeen: (seen) =>
      ['occluded', 'truncated'].every((flag) => seen.some(({ flags }) => flags?.includes(flag))),
    change: changeFirst(({ outline }) => ({
      outline: outline && { ...outline, flags: ['occluded', 'truncated'] },
    })),
  },
  { id: 'small', name: 'Small project', loss: null, perClass: 1, onlyCar: true },
];

export const SPLITS = ['train', 'val', 'test'] as const;

/** The dataset of a case in the names of a family of layouts. */
export function caseDataset(
  { change, schema, perClass = 1, onlyCar }: CaseSettings,
  vocabulary: Vocabulary,
): Dataset {
  const images: DatasetImage[] = [];
  const { car, person } = vocabulary;
  for (const split of SPLITS)
    for (const className of onlyCar ? [car] : [car, person])
      for (let i = 0; i < perClass; i++) {
        const plain = plainImage(vocabulary, className, split, images.length + 1);
        images.push(change?.(plain, vocabulary) ?? plain);
      }
  return datasetOf(schema?.(vocabulary.schema) ?? vocabulary.schema, images, SPLITS);
}

function plainImage(vocabulary: Vocabulary, className: string, split: string, index: number): DatasetImage {
  const { attributes } = vocabulary;
  return {
    name: vocabulary.imageName(index),
    className,
    wnid: null,
    groupKey: null,
    columns: {},
    split,
    width: WIDTH,
    height: HEIGHT,
    picture: { sha256: String(index).padStart(64, '0'), mediaType: 'image/jpeg' },
    attributes: attributes.length > 0 ? { ...origin, present: attributes } : null,
    attributeMasks: attributes.includes('wheels') ? [label('wheels', box(8, 20, 6, 6))] : [],
    objects: [className === vocabulary.car ? carOf(vocabulary) : personOf(vocabulary)],
    hasMasks: true,
  };
}

/** The same project before anybody labelled anything. */
export const unlabelled = (vocabulary: Vocabulary): Dataset =>
  datasetOf(
    vocabulary.schema,
    SPLITS.map((split, index) => ({
      ...plainImage(vocabulary, vocabulary.car, split, index + 1),
      className: null,
      attributes: null,
      attributeMasks: [],
      objects: [],
    })),
    SPLITS,
  );

/** Grey pictures of the right size. */
export const greyPictures: Pictures = {
  readStored: async ({ width, height }) =>
    encodeJpegMask(new Uint8Array(width * height).fill(99), width, height),
  encode: async (image, { format, size }) => {
    const { width, height } = size ?? image;
    const pixels = new Uint8Array(width * height).fill(99);
    return format === 'jpeg'
      ? encodeJpegMask(pixels, width, height)
      : encodePng({ width, height, channels: 1, depth: 8, pixels });
  },
};
