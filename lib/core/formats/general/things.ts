import type { Mask } from '@/lib/core/mask';
import type { DatasetImage, MaskLabel, ObjectLabel, Provenance } from '../dataset';
import { mergedById } from './merged-by-id';

export type ThingKind = 'object' | 'part' | 'attribute';

/** A mask with its meaning: what the general formats hold, one by one, as annotations. */
export interface Thing extends Provenance {
  kind: ThingKind;
  /** Of the class, part or attribute in the schema. */
  id: string;
  /** The object it belongs to, from 1; 0 for an attribute, which belongs to the image. */
  instance: number;
  mask: Mask;
}

/** What a label that was brought in says about itself. */
export const imported = { source: 'import', confidence: 1 } as const;

/** All masks of an image, object by object, the outline first; then the attributes. */
export function thingsOf(image: DatasetImage): Thing[] {
  if (!image.hasMasks) return [];
  const things: Thing[] = [];
  const add = (kind: ThingKind, id: string, instance: number, label: Provenance & { mask: Mask }) =>
    things.push({
      kind,
      id,
      instance,
      mask: label.mask,
      source: label.source,
      confidence: label.confidence,
    });
  for (const { className, instance, outline, parts } of image.objects) {
    if (outline && className !== null) add('object', className, instance, outline);
    for (const part of parts) add('part', part.id, instance, part);
  }
  for (const label of image.attributeMasks) add('attribute', label.id, 0, label);
  return things;
}

/** How many `thingsOf` gives. */
export const countThings = (image: DatasetImage): number =>
  image.hasMasks
    ? image.attributeMasks.length +
      image.objects.reduce(
        (sum, { className, outline, parts }) => sum + parts.length + (outline && className !== null ? 1 : 0),
        0,
      )
    : 0;

/** An object as a format tells it beside its masks. */
export interface ObjectFacts {
  instance: number;
  className: string | null;
  absent: string[];
}

/**
 * The way back from things to objects. Objects that nothing tells of come from the instances of the things; several masks
 * of one part of an object, of an object or of an attribute are one.
 */
export function gather(
  things: readonly Thing[],
  told: readonly ObjectFacts[] = [],
  imageClass: string | null = null,
): { objects: ObjectLabel[]; attributeMasks: MaskLabel[] } {
  const objects = new Map<number, ObjectLabel>();
  for (const { instance, className, absent } of told)
    if (!objects.has(instance))
      objects.set(instance, { className, instance, outline: null, parts: [], absent });
  const outlines = new Map<ObjectLabel, MaskLabel[]>();
  const attributeMasks: MaskLabel[] = [];
  for (const { kind, id, instance, mask, source, confidence } of things) {
    const label = { id, mask, source, confidence };
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
    object.parts = mergedById(object.parts);
    for (const { mask, source, confidence } of mergedById(outlines.get(object) ?? []))
      object.outline = { mask, source, confidence };
  }
  return {
    objects: [...objects.values()].sort((a, b) => a.instance - b.instance),
    attributeMasks: mergedById(attributeMasks),
  };
}
