import { type Mask, union } from '@/lib/core/mask';
import type { RawThing } from './assemble';

/** A shape that a tool put into a group; the shapes of one label in a group are pieces of one mask. */
export interface GroupedShape {
  name: string;
  group: number | null;
  mask: Mask;
}

/** `isOurs`: groups are then the numbers of objects; other tools use them for whatever belongs together. */
export function thingsOfGroups(shapes: readonly GroupedShape[], isOurs: boolean): RawThing[] {
  if (isOurs) return shapes.map(({ name, group, mask }) => ({ name, instance: group ?? 0, mask }));
  const merged = new Map<string, RawThing>();
  shapes.forEach(({ name, group, mask }, index) => {
    const key = group === null ? `${index}` : `group ${group} ${name}`;
    const known = merged.get(key);
    merged.set(key, { name, instance: null, mask: known ? union(known.mask, mask) : mask });
  });
  return [...merged.values()];
}

/** A group's number as files have it; 0 and null are "none". */
export const readGroup = (given: unknown): number | null =>
  typeof given === 'number' && Number.isInteger(given) && given > 0 && given < 1e6 ? given : null;
