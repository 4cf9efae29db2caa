import { type Mask, merge } from '@/lib/core/mask';
import { partColour } from '@/lib/core/schema';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { DatasetImage, MaskLabel, ObjectLabel, Provenance } from '../dataset';

export const objectsRule =
  'All parts of an object become one part, named after its class; an object without parts is its outline. The confidence is the lowest of what was merged.';

export const foregroundRule =
  'Everything that was drawn in an image, parts and outlines of all objects, becomes one mask. The class of the image stays.';

/** Id of the only part of a class once its parts are merged. */
export const objectPart = (classId: string) => `${classId}:object`;

export const FOREGROUND = 'foreground';

export function objectsSchema(schema: DatasetSchema): DatasetSchema {
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

export function mergeObjects(image: DatasetImage): DatasetImage {
  return { ...image, objects: image.objects.map(mergedObject) };
}

function mergedObject(object: ObjectLabel): ObjectLabel {
  const drawn: readonly (Provenance & { mask: Mask })[] =
    object.parts.length > 0 ? object.parts : object.outline ? [object.outline] : [];
  if (!object.className || drawn.length === 0) return { ...object, parts: [], absent: [] };
  return { ...object, parts: [{ id: objectPart(object.className), ...merged(drawn) }], absent: [] };
}

export function foregroundSchema(schema: DatasetSchema): DatasetSchema {
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

export function mergeForeground(image: DatasetImage): DatasetImage {
  const drawn = image.objects.flatMap(({ outline, parts }) => (outline ? [outline, ...parts] : parts));
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
