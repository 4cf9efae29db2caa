import type { DatasetSchema } from '@/lib/core/schema';

/** The name of an attribute or a part, with the classes of the part if several parts have the same name. */
export function targetName(schema: DatasetSchema | null, target: string): string {
  const part = schema?.parts.find(({ id }) => id === target);
  if (part) {
    const isShared = schema?.parts.some(({ id, name }) => id !== target && name === part.name);
    return isShared ? `${part.name} (${part.classes.join(', ')})` : part.name;
  }
  return schema?.attributes.find(({ id }) => id === target)?.name ?? target;
}
