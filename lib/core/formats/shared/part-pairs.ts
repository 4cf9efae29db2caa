import { groupBy } from '@/lib/core/quality/group-by';
import { DatasetSchema, MAX_ENTRIES, partColour } from '@/lib/core/schema/types';
import { cleanName, toSchemaId, uniqueId } from '../mapping/schema';

/** A part of a class, as layouts with names such as "car:wheel" list it. */
export interface PartPair {
  className: string;
  /** Id in the schema. */
  id: string;
  /** Name within the class: "wheel" for the id "car:wheel". */
  name: string;
}

/** Lists the parts of every class, in the order of the schema. */
export const listPartPairs = ({ classes, parts }: DatasetSchema): PartPair[] =>
  classes.flatMap(({ id: className }) =>
    parts
      .filter((part) => part.classes.includes(className))
      .map(({ id }) => ({ className, id, name: nameWithin(className, id) })),
  );

export const nameWithin = (className: string, partId: string): string =>
  partId.startsWith(`${className}:`) ? partId.slice(className.length + 1) : partId;

export interface NamedPart {
  className: string;
  name: string;
  /** Name of the part that this one is a part of. */
  parent?: string;
  isNumbered?: boolean;
}

export interface PairVocabulary {
  schema: DatasetSchema;
  classId(name: string): string | undefined;
  partId(part: NamedPart): string | undefined;
}

const keyOf = ({ name, parent }: NamedPart): string => (parent === undefined ? name : `${parent}:${name}`);

/**
 * Infers a schema from classes and their parts. Parts of the same name become one part of several classes, because the
 * public datasets have more pairs than a schema has entries.
 */
export function inferPairSchema(
  source: string,
  classes: readonly { name: string; isStuff?: boolean }[],
  parts: readonly NamedPart[],
): PairVocabulary {
  const classIds = numberNames(classes.map(({ name }) => name));
  const known = parts.filter(({ className }) => classIds.has(className));
  const partIds = numberNames(known.map(keyOf));
  for (const [ids, words] of [
    [classIds, 'classes'],
    [partIds, 'parts'],
  ] as const)
    if (ids.size > MAX_ENTRIES)
      throw new Error(
        `${source} has ${ids.size} ${words}; a schema can hold ${MAX_ENTRIES}. Leave some out.`,
      );
  if (classIds.size === 0) throw new Error(`${source} names no classes, so that nothing can be imported.`);
  const stuff = new Set(classes.flatMap(({ name, isStuff }) => (isStuff ? [name] : [])));
  const byKey = groupBy(known, keyOf);
  const entries = [...byKey].map(([key, same], index) => {
    const parent = same[0]?.parent;
    const parentId = parent === undefined ? undefined : partIds.get(parent);
    return {
      id: partIds.get(key) as string,
      name: cleanName(same[0]?.name ?? key) || key,
      classes: [...new Set(same.map(({ className }) => classIds.get(className) as string))],
      // A part of a part lies on it.
      zOrder: index + (parentId === undefined ? 0 : byKey.size),
      colour: partColour(index),
      ...(same.some(({ isNumbered }) => isNumbered) && { numbered: true }),
      ...(parentId !== undefined && { parent: parentId }),
    };
  });
  // A parent belongs to every class that its parts belong to.
  for (const entry of entries) {
    const parent = entries.find(({ id }) => id === entry.parent);
    if (parent) parent.classes = [...new Set([...parent.classes, ...entry.classes])];
  }
  const schema: DatasetSchema = DatasetSchema.parse({
    id: 'imported',
    name: 'Imported',
    description: `Made from the labels of ${source}.`.slice(0, 300),
    classes: [...classIds].map(([name, id]) => ({
      id,
      name: cleanName(name) || id,
      ...(stuff.has(name) && { kind: 'stuff' }),
    })),
    attributeGroups: [],
    attributes: [],
    parts: entries,
  });
  return {
    schema,
    classId: (name) => classIds.get(name),
    partId: (part) => (classIds.has(part.className) ? partIds.get(keyOf(part)) : undefined),
  };
}

function numberNames(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  const ids = new Map<string, string>();
  for (const name of names) {
    if (ids.has(name)) continue;
    const id = uniqueId(toSchemaId(name), taken);
    taken.add(id);
    ids.set(name, id);
  }
  return ids;
}

/** The same lookups for a schema that the files contain. */
export function pairVocabulary(schema: DatasetSchema): PairVocabulary {
  const pairs = new Map(listPartPairs(schema).map(({ className, name, id }) => [`${className} ${name}`, id]));
  const classes = new Set(schema.classes.map(({ id }) => id));
  return {
    schema,
    classId: (name) => (classes.has(name) ? name : undefined),
    partId: ({ className, name }) => pairs.get(`${className} ${name}`),
  };
}
