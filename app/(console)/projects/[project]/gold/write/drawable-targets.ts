import type { StageKind } from '@/db/schema';
import { type DatasetSchema, localisedAttributes } from '@/lib/core/schema';
import { targetName } from '../target-name';

export interface DrawableTarget {
  id: string;
  name: string;
  /** Classes that have it; null for any. */
  classes: string[] | null;
}

/** What a stage asks for, one by one; a stage that asks about the whole image has one. */
export function drawableTargets(schema: DatasetSchema, kind: StageKind): DrawableTarget[] {
  if (kind !== 'part-mask') return [{ id: '', name: 'the whole image', classes: null }];
  return [
    ...localisedAttributes(schema).map(({ id, name }) => ({ id, name, classes: null })),
    ...schema.parts.map(({ id, classes }) => ({ id, name: targetName(schema, id), classes })),
  ];
}
