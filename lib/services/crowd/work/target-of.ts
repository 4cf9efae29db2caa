import type { StageKind } from '@/db/schema';
import {
  type askedFlags,
  canHaveInstances,
  type DatasetSchema,
  partColour,
  readTarget,
} from '@/lib/core/schema';
import { drawsMasks } from './pay-for';

export interface Target {
  id: string;
  name: string;
  definition: string | null;
  colour: string;
  /** Several instances can be drawn, each separately. */
  isNumbered: boolean;
  /** What is asked besides the mask. */
  flags: (typeof askedFlags)[number][];
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
    if (!other) return null;
    const isStuff = schema.classes.some(({ id, kind }) => id === ownClass && kind === 'stuff');
    // Workers of all languages read it: a dashed outline on the image shows which object it is.
    const name = isStuff ? other.name : `${other.name} (${instance})`;
    const isNumbered = other.isNumbered && stageKind === 'part-mask';
    return { ...other, id: target, name, isNumbered };
  }
  const flags = schema.flags ?? [];
  if (stageKind === 'object-mask') {
    const entry = schema.classes.find(({ id }) => id === className);
    return {
      id: OBJECT,
      name: entry?.name ?? 'Object',
      definition: entry?.definition ?? null,
      colour: partColour(0),
      isNumbered: canHaveInstances(schema, 'object-mask', target, className),
      flags,
    };
  }
  const part = schema.parts.find(({ id }) => id === target);
  const index = schema.attributes.findIndex(({ id }) => id === target);
  const attribute = schema.attributes[index];
  const entry = part ?? attribute;
  return {
    id: target,
    name: entry?.name ?? target,
    definition: entry?.definition ?? null,
    colour: part?.colour ?? partColour(Math.max(0, index)),
    isNumbered: part?.numbered ?? false,
    flags,
  };
}
