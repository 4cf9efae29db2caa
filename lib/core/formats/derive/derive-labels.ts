import type { Mask } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Dataset, DatasetImage } from '../dataset';
import { boxesRule, boxMask } from './boxes';
import {
  foregroundRule,
  foregroundSchema,
  mergeForeground,
  mergeObjects,
  objectsRule,
  objectsSchema,
} from './objects';

export type DerivedLabels = 'parts' | 'boxes' | 'objects' | 'foreground';

interface Derivation {
  /** For the documentation. */
  rule: string;
  schema(schema: DatasetSchema): DatasetSchema;
  image(image: DatasetImage): DatasetImage;
}

const boxed = <T extends { mask: Mask }>(label: T): T => ({ ...label, mask: boxMask(label.mask) });

export const derivations: Readonly<Record<DerivedLabels, Derivation>> = {
  parts: { rule: 'Masks as they were drawn.', schema: (schema) => schema, image: (image) => image },
  boxes: {
    rule: boxesRule,
    schema: (schema) => schema,
    image: (image) => ({
      ...image,
      attributeMasks: image.attributeMasks.map(boxed),
      objects: image.objects.map((object) => ({
        ...object,
        outline: object.outline && boxed(object.outline),
        parts: object.parts.map(boxed),
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
