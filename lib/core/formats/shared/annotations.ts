import { isEmpty, type Mask, merge } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { type LabelFlag, labelFlags } from '@/lib/core/schema/types';
import {
  type DatasetImage,
  type DrawnLabel,
  instanceMasks,
  type MaskLabel,
  type ObjectLabel,
  type Provenance,
} from '../dataset';

export type AnnotationKind = 'object' | 'part' | 'attribute';

/** A mask with its label, as general formats store it. */
export interface Annotation extends Provenance {
  kind: AnnotationKind;
  /** Id of the class, part or attribute in the schema. */
  id: string;
  /** Number of the object, from 1. Attributes belong to the image and have 0. */
  instance: number;
  mask: Mask;
  flags?: readonly LabelFlag[];
  /** The outline was not drawn: it is the union of the parts. */
  isFromParts?: boolean;
}

/** The provenance of imported labels. */
export const importProvenance = { source: 'import', confidence: 1 } as const;

/**
 * Lists the masks of an image by object, each with its outline first, then the attribute masks. Every instance of a
 * part is an annotation of its own. With `unions`, an object without an outline is outlined by its parts.
 */
export function listAnnotations(image: DatasetImage, { unions = false } = {}): Annotation[] {
  if (!image.hasMasks) return [];
  const annotations: Annotation[] = [];
  const add = (kind: AnnotationKind, id: string, instance: number, label: Omit<MaskLabel, 'id'>) => {
    const { source, confidence, flags } = label;
    for (const mask of instanceMasks(label))
      annotations.push({ kind, id, instance, mask, source, confidence, ...(flags && { flags }) });
  };
  for (const object of image.objects) {
    const { className, instance, outline, parts } = object;
    if (outline && className !== null) add('object', className, instance, outline);
    else if (unions && className !== null) {
      const union = unionOfParts(object);
      if (union) annotations.push({ kind: 'object', id: className, instance, ...union, isFromParts: true });
    }
    for (const part of parts) add('part', part.id, instance, part);
  }
  for (const label of image.attributeMasks) add('attribute', label.id, 0, label);
  return annotations;
}

/** Returns the outline of an object that was not drawn: the union of its parts. Null without a pixel. */
export function unionOfParts({ parts }: ObjectLabel): DrawnLabel | null {
  const drawn = parts.filter(({ mask }) => !isEmpty(mask));
  const [first] = drawn;
  if (!first) return null;
  return {
    mask: merge(drawn.map(({ mask }) => mask)),
    source: first.source,
    confidence: Math.min(...drawn.map(({ confidence }) => confidence)),
  };
}

/** Returns the length of `listAnnotations(image)` without building the list. */
export const countAnnotations = (image: DatasetImage): number =>
  image.hasMasks
    ? countMasks(image.attributeMasks) +
      image.objects.reduce(
        (sum, { className, outline, parts }) =>
          sum + countMasks(parts) + (outline && className !== null ? 1 : 0),
        0,
      )
    : 0;

const countMasks = (labels: readonly MaskLabel[]): number =>
  labels.reduce((sum, { instances }) => sum + (instances?.length ?? 1), 0);

/** What a file says about an object besides its masks. */
export interface ObjectFacts {
  instance: number;
  className: string | null;
  absent: string[];
}

/**
 * Groups annotations by object; the inverse of `listAnnotations`. Objects that are missing from the facts are created
 * from the instance numbers. Several masks of the same part or attribute become its instances; several masks of the
 * same object are merged.
 */
export function groupByObject(
  annotations: readonly Annotation[],
  facts: readonly ObjectFacts[] = [],
  imageClass: string | null = null,
): { objects: ObjectLabel[]; attributeMasks: MaskLabel[] } {
  const objects = new Map<number, ObjectLabel>();
  for (const { instance, className, absent } of facts)
    if (!objects.has(instance))
      objects.set(instance, { className, instance, outline: null, parts: [], absent });
  const outlines = new Map<ObjectLabel, MaskLabel[]>();
  const attributeMasks: MaskLabel[] = [];
  for (const { kind, id, instance, mask, source, confidence, flags } of annotations) {
    const label = { id, mask, source, confidence, ...(flags && { flags }) };
    if (kind === 'attribute') {
      attributeMasks.push(label);
      continue;
    }
    const object = objects.get(instance) ?? {
      className: instance === 1 ? imageClass : null,
      instance,
      outline: null,
      parts: [],
      absent: [],
    };
    objects.set(instance, object);
    if (kind === 'part') object.parts.push(label);
    else {
      object.className = id;
      const own = outlines.get(object);
      if (own) own.push(label);
      else outlines.set(object, [label]);
    }
  }
  for (const object of objects.values()) {
    object.parts = mergeById(object.parts);
    for (const { id: _, instances: __, ...outline } of mergeById(outlines.get(object) ?? []))
      object.outline = outline;
  }
  return {
    objects: [...objects.values()].sort((a, b) => a.instance - b.instance),
    attributeMasks: mergeById(attributeMasks),
  };
}

/**
 * Joins labels with the same id, such as the wheels of a car: each becomes an instance, the mask is their union, and
 * the lowest confidence counts. Masks of different sizes are not joined.
 */
export function mergeById(labels: readonly MaskLabel[]): MaskLabel[] {
  const groups = groupBy(labels, ({ id, mask }) => `${mask.width}×${mask.height} ${id}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    const instances = same.flatMap(instanceMasks);
    const flags = labelFlags.filter((flag) => same.some((label) => label.flags?.includes(flag)));
    return [
      {
        ...first,
        confidence: same.reduce((least, { confidence }) => Math.min(least, confidence), 1),
        mask: merge(instances),
        instances,
        ...(flags.length > 0 && { flags }),
      },
    ];
  });
}

/** Parses a group number. 0 and null mean no group. */
export const readGroup = (given: unknown): number | null =>
  typeof given === 'number' && Number.isInteger(given) && given > 0 && given < 1e6 ? given : null;
