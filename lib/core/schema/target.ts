/**
 * What an item or a label is about: a part or localised attribute, or the whole object ('' as id). A picture is of one
 * object; pictures that were brought in from elsewhere may show more, numbered from 2, each with a class of its own.
 */
export interface TargetName {
  /** Of a part or attribute; empty for the object as a whole. */
  id: string;
  /** 1 is the object that the picture is of. */
  instance: number;
  /** Null for the first object, whose class is that of the picture. */
  className: string | null;
}

/** `head`, and for a second object `head#2:dog`; ids hold no "#". */
export function writeTarget({ id, instance, className }: TargetName): string {
  return instance === 1 ? id : `${id}#${instance}:${className ?? ''}`;
}

export function readTarget(target: string): TargetName {
  const found = /^([^#]*)#(\d{1,6}):([^#]*)$/.exec(target);
  if (!found) return { id: target, instance: 1, className: null };
  return { id: found[1] ?? '', instance: Number(found[2]), className: found[3] || null };
}

/** For people: "Head", "Head of object 2 (Dog)", "object 2 (Dog)"; what the whole is called is up to the page. */
export function targetWords(target: string, nameOf: (id: string) => string, whole: string): string {
  const { id, instance, className } = readTarget(target);
  if (instance === 1) return id ? nameOf(id) : whole;
  const object = `object ${instance}${className ? ` (${nameOf(className)})` : ''}`;
  return id ? `${nameOf(id)} of ${object}` : object;
}
