import type { StageKind } from '@/db/schema';
import { type DatasetSchema, localisedAttributes, wholeObjectAttributes } from '@/lib/core/schema';

export interface DefaultStage {
  kind: StageKind;
  name: string;
}

/** The questions that a schema calls for, in the order in which they are asked. */
export function defaultStages(schema: DatasetSchema): DefaultStage[] {
  const hasParts = schema.parts.length > 0 || localisedAttributes(schema).length > 0;
  const stages: DefaultStage[] = [];
  if (schema.attributes.length > 0) stages.push({ kind: 'attributes', name: 'Attributes' });
  if (wholeObjectAttributes(schema).length > 0 || !hasParts)
    stages.push({ kind: 'object-mask', name: 'Object masks' });
  if (hasParts) stages.push({ kind: 'part-mask', name: 'Part masks' });
  return stages;
}
