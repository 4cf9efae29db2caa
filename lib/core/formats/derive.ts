import { area, boundingBox, isEmpty, type Mask, merge } from '@/lib/core/mask';
import { columnSpans, RunBuilder } from '@/lib/core/mask/mask';
import { partColour } from '@/lib/core/schema';
import { pascalPartGrouped } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { streetCropsRule } from './apm-cityscapes/crops';
import {
  type Dataset,
  type DatasetImage,
  type MaskLabel,
  mapMasks,
  type ObjectLabel,
  type Provenance,
} from './dataset';
import { objectMask } from './shared/part-layers';

export type DerivedLabels = 'parts' | 'boxes' | 'objects' | 'foreground';

interface Derivation {
  /** For the documentation. */
  rule: string;
  schema(schema: DatasetSchema): DatasetSchema;
  image(image: DatasetImage): DatasetImage;
}

export const boxesRule =
  'Every mask becomes its tight filled rectangle: from its first to its last column and row, both included. Rectangles may overlap; each format says who keeps a shared pixel.';

/** The tight filled rectangle of a mask; an empty mask stays empty. */
export function boxMask(mask: Mask): Mask {
  if (isEmpty(mask)) return mask;
  const [x, y, width, height] = boundingBox(mask);
  const runs = new RunBuilder();
  for (let column = x; column < x + width; column++) {
    const from = column * mask.height + y;
    runs.add(from, from + height);
  }
  return runs.build(mask.height, mask.width);
}

export const centroidsRule =
  'The centroid of a part is the mean of its pixels, its spread their standard deviation, both in x and y, in pixels with the first at 0.';

export interface Centroid {
  x: number;
  y: number;
  spreadX: number;
  spreadY: number;
}

/** Null for an empty mask. */
export function centroidOf(mask: Mask): Centroid | null {
  if (isEmpty(mask)) return null;
  const { starts, tops, bottoms } = columnSpans(mask);
  let n = 0;
  let sumX = 0;
  let sumY = 0;
  let squareX = 0;
  let squareY = 0;
  for (let x = 0; x < mask.width; x++)
    for (let i = starts[x] as number; i < (starts[x + 1] as number); i++) {
      const top = tops[i] as number;
      const last = (bottoms[i] as number) - 1;
      const count = last - top + 1;
      n += count;
      sumX += x * count;
      squareX += x * x * count;
      sumY += ((top + last) * count) / 2;
      squareY += squares(last) - squares(top - 1);
    }
  const [x, y] = [sumX / n, sumY / n];
  const spread = (square: number, mean: number) => Math.sqrt(Math.max(0, square / n - mean * mean));
  return { x, y, spreadX: spread(squareX, x), spreadY: spread(squareY, y) };
}

/** 0² + 1² + … + n². */
const squares = (n: number) => (n * (n + 1) * (2 * n + 1)) / 6;

export const objectsRule =
  'All parts of an object become one part, named after its class; an object without parts is its outline. The confidence is the lowest of what was merged.';

export const foregroundRule =
  'Everything that was drawn in an image, parts and outlines of all objects, becomes one mask. The class of the image stays.';

/** Id of the only part of a class once its parts are merged. */
export const objectPart = (classId: string) => `${classId}:object`;

const FOREGROUND = 'foreground';

function objectsSchema(schema: DatasetSchema): DatasetSchema {
  return {
    ...schema,
    parts: schema.classes.map(({ id }, index) => ({
      id: objectPart(id),
      name: 'Object',
      classes: [id],
      zOrder: 0,
      colour: partColour(index),
    })),
  };
}

function mergeObjects(image: DatasetImage): DatasetImage {
  return { ...image, objects: image.objects.map(mergeObject) };
}

function mergeObject(object: ObjectLabel): ObjectLabel {
  const drawn: readonly (Provenance & { mask: Mask })[] =
    object.parts.length > 0 ? object.parts : object.outline ? [object.outline] : [];
  if (!object.className || drawn.length === 0) return { ...object, parts: [], absent: [] };
  return { ...object, parts: [{ id: objectPart(object.className), ...merged(drawn) }], absent: [] };
}

function foregroundSchema(schema: DatasetSchema): DatasetSchema {
  return {
    ...schema,
    parts: [
      {
        id: FOREGROUND,
        name: 'Foreground',
        classes: schema.classes.map(({ id }) => id),
        zOrder: 0,
        colour: partColour(0),
      },
    ],
  };
}

function mergeForeground(image: DatasetImage): DatasetImage {
  // A crowd region without a class is to be ignored, not foreground.
  const drawn = image.objects
    .filter(({ className, outline }) => className !== null || !outline?.flags?.includes('crowd'))
    .flatMap(({ outline, parts }) => (outline ? [outline, ...parts] : parts));
  if (drawn.length === 0) return { ...image, attributeMasks: [], objects: [] };
  const whole = merged(drawn);
  const className = image.className ?? image.objects[0]?.className ?? null;
  const part: MaskLabel = { id: FOREGROUND, ...whole };
  return {
    ...image,
    attributeMasks: [],
    objects: [{ className, instance: 1, outline: whole, parts: [part], absent: [] }],
  };
}

function merged(labels: readonly (Provenance & { mask: Mask })[]): Provenance & { mask: Mask } {
  return {
    source: labels[0]?.source ?? 'answer',
    confidence: Math.min(...labels.map(({ confidence }) => confidence)),
    mask: merge(labels.map(({ mask }) => mask)),
  };
}

export const pascalGroupsRule =
  'An image is of the class of its largest object among all twenty classes, and is left out when that is none of aeroplane, bird, car, cat and dog. The largest is found by the masks as they were drawn, also where boxes or no masks at all are written. Fine parts are merged to three per class. Where parts overlap the first keeps the pixel: parts in the order of the table, the largest object first, then the others. Pixels of an object without a part are background.';

const tokens = pascalPartGrouped.parts.map(({ id, classes, codes, merges }) => ({
  id,
  className: classes[0] as string,
  mask: codes?.mask as number,
  tokens: (merges ?? []).map((part) => part.slice(part.indexOf(':') + 1)),
}));

/** The merged part that a part of the release belongs to: one of its tokens is in the part's name. */
export function groupOfPart(className: string, partName: string): { id: string; mask: number } | null {
  const found = tokens.find(
    (group) => group.className === className && group.tokens.some((token) => partName.includes(token)),
  );
  return found ? { id: found.id, mask: found.mask } : null;
}

/** Largest by its pixels, as drawn; of equals the first. Null where nothing was drawn. */
export function largestObject({
  objects: written,
  original,
}: Pick<DatasetImage, 'objects' | 'original'>): ObjectLabel | null {
  const objects = original?.objects ?? written;
  let best: ObjectLabel | null = null;
  let most = 0;
  for (const object of objects) {
    const mask = objectMask(object);
    const size = mask ? area(mask) : 0;
    if (size > most) {
      best = object;
      most = size;
    }
  }
  return best;
}

export interface GroupedImage {
  className: string;
  /** Ids 1 to 15 of the part-model code, from the lowest up: later ones are painted over earlier ones. */
  layers: { mask: Mask; value: number }[];
}

/** Takes fine parts of the release and merged parts alike; null where the image is of no class that the paper uses. */
export function groupParts(image: DatasetImage): GroupedImage | null {
  const main = largestObject(image);
  const className = main?.className ?? (main ? null : image.className);
  if (!className || !pascalPartGrouped.classes.some(({ id }) => id === className)) return null;
  const isMain = ({ instance }: ObjectLabel) => instance === main?.instance;
  const ordered = [...image.objects.filter(isMain), ...image.objects.filter((object) => !isMain(object))];
  const firstKeeps = ordered.flatMap((object) =>
    object.parts
      .flatMap(({ id, mask }) => {
        const value = object.className === null ? undefined : maskIdOf(object.className, id);
        return value === undefined ? [] : [{ mask, value }];
      })
      .sort((a, b) => a.value - b.value),
  );
  return { className, layers: firstKeeps.reverse() };
}

function maskIdOf(className: string, partId: string): number | undefined {
  const merged = tokens.find(({ id }) => id === partId);
  return merged?.mask ?? groupOfPart(className, partId.slice(partId.indexOf(':') + 1))?.mask;
}

const toBox = <T extends { mask: Mask; instances?: readonly Mask[] }>(label: T): T =>
  mapMasks(label, boxMask);

export const derivations: Readonly<Record<DerivedLabels, Derivation>> = {
  parts: { rule: 'Masks as they were drawn.', schema: (schema) => schema, image: (image) => image },
  boxes: {
    rule: boxesRule,
    schema: (schema) => schema,
    image: (image) => ({
      ...image,
      attributeMasks: image.attributeMasks.map(toBox),
      objects: image.objects.map((object) => ({
        ...object,
        outline: object.outline && toBox(object.outline),
        parts: object.parts.map(toBox),
      })),
    }),
  },
  objects: { rule: objectsRule, schema: objectsSchema, image: mergeObjects },
  foreground: { rule: foregroundRule, schema: foregroundSchema, image: mergeForeground },
};

/** The same dataset with labels made from its labels, image by image as they are asked for. */
export function deriveLabels(dataset: Dataset, labels: DerivedLabels): Dataset {
  if (labels === 'parts') return dataset;
  const { schema, image } = derivations[labels];
  return {
    ...dataset,
    schema: schema(dataset.schema),
    async *images() {
      for await (const each of dataset.images())
        yield { ...image(each), original: each.original ?? { objects: each.objects } };
    },
  };
}

/** Labels that are made from labels, how they are chosen, and their rule in words. */
export const derivedRules: readonly { name: string; chosenBy: string; rule: string }[] = [
  { name: 'Boxes', chosenBy: 'labels=boxes', rule: boxesRule },
  { name: 'Objects', chosenBy: 'labels=objects', rule: objectsRule },
  { name: 'Foreground', chosenBy: 'labels=foreground', rule: foregroundRule },
  { name: 'Cuts of road users', chosenBy: 'apm-cityscapes', rule: streetCropsRule },
  { name: 'Merged PASCAL parts', chosenBy: 'apm-pascal-part', rule: pascalGroupsRule },
];
