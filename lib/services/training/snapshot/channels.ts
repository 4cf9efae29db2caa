import { invalid } from '@/lib/core/errors';
import type { Dataset, DatasetImage, MaskLabel } from '@/lib/core/formats/dataset';

/** A mask's value 255 says "not labelled"; 0 is background. */
export const MOST_CHANNELS = 254;

/** What a model tells apart and where: classes sorted by name, and one mask channel for each part of each class. */
export interface Channels {
  classes: string[];
  /** Channel k is the value k + 1 of a mask. */
  parts: { id: string; name: string; class: number }[];
  /** How high a part lies: where parts overlap, the highest keeps the pixel. */
  zOrder: ReadonlyMap<string, number>;
  /** The class of an image as the model knows it. */
  classOf(image: DatasetImage): number | null;
  /** The value of a label in the mask of an image. */
  valueOf(label: MaskLabel, className: string): number | null;
}

export interface ChannelChoice {
  /** `superclass`: human and vehicle instead of person, rider, car, truck and bus. */
  classes: 'class' | 'superclass';
}

/**
 * The channels of a version, from what occurs in it. A part that several classes share becomes a channel of each, and so
 * does a localised attribute: a model is to learn the wheel of a truck, not wheels as such.
 */
export async function channelsOf(dataset: Dataset, choice: ChannelChoice): Promise<Channels> {
  const { schema } = dataset;
  const superclass = new Map(schema.classes.map((entry) => [entry.id, entry.superclass ?? entry.id]));
  const named = (className: string) =>
    choice.classes === 'superclass' ? (superclass.get(className) ?? className) : className;
  const classNames = new Set<string>();
  const pairs = new Set<string>();
  for await (const image of dataset.images()) {
    if (image.className === null) continue;
    classNames.add(named(image.className));
    for (const { id, className } of labelsOf(image)) pairs.add(keyOf(id, named(className)));
  }
  const classes = [...classNames].sort();
  const entries = [...schema.parts, ...schema.attributes];
  const parts = classes.flatMap((className, index) =>
    entries
      .filter(({ id }) => pairs.has(keyOf(id, className)))
      .map(({ id, name }) => ({ id, name: `${className} ${name}`, class: index })),
  );
  if (parts.length > MOST_CHANNELS)
    throw invalid(`${parts.length} parts of classes are more than the ${MOST_CHANNELS} a mask can hold.`);
  const values = new Map(
    parts.map(({ id, class: index }, at) => [keyOf(id, classes[index] as string), at + 1]),
  );
  return {
    classes,
    parts,
    zOrder: new Map(schema.parts.map(({ id, zOrder }) => [id, zOrder])),
    classOf: ({ className }) => (className === null ? null : classes.indexOf(named(className))),
    valueOf: ({ id }, className) => values.get(keyOf(id, named(className))) ?? null,
  };
}

/** Every mask of an image with the class of the object it belongs to. */
export function labelsOf(image: DatasetImage): (MaskLabel & { className: string })[] {
  const own = image.className ?? '';
  return [
    ...image.attributeMasks.map((label) => ({ ...label, className: own })),
    ...image.objects.flatMap(({ className, parts }) =>
      parts.map((label) => ({ ...label, className: className ?? own })),
    ),
  ];
}

const keyOf = (id: string, className: string) => `${id}\n${className}`;
