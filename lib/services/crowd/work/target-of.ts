import type { StageKind } from '@/db/schema';
import { type DatasetSchema, partColour, readTarget } from '@/lib/core/schema';
import { drawsMasks } from './pay-for';

export interface Target {
  id: string;
  name: string;
  definition: string | null;
  colour: string;
}

/** The label under which a whole object is drawn. */
export const OBJECT = 'object';

/** What an item asks the worker to draw; null where it asks about the image as a whole. */
export function targetOf(
  schema: DatasetSchema,
  stageKind: StageKind,
  className: string | null,
  target: string,
): Target | null {
  if (!drawsMasks(stageKind)) return null;
  const { id: wanted, instance, className: ownClass } = readTarget(target);
  if (instance > 1) {
    const other = targetOf(schema, stageKind, ownClass, wanted);
    return other && { ...other, id: target, name: `${other.name}, object ${instance}` };
  }
  if (stageKind === 'object-mask') {
    const entry = schema.classes.find(({ id }) => id === className);
    const definition = entry?.definition ?? null;
    return { id: OBJECT, name: entry?.name ?? 'Object', definition, colour: partColour(0) };
  }
  const part = schema.parts.find(({ id }) => id === target);
  if (part) return { id: target, name: part.name, definition: part.definition ?? null, colour: part.colour };
  const index = schema.attributes.findIndex(({ id }) => id === target);
  const attribute = schema.attributes[index];
  return {
    id: target,
    name: attribute?.name ?? target,
    definition: attribute?.definition ?? null,
    colour: partColour(Math.max(0, index)),
  };
}
