import { type DatasetSchema, MAX_ENTRIES, partColour } from '@/lib/core/schema/types';
import type { Mapping } from './mapping';

/** Removes control characters and lone surrogates, which PostgreSQL cannot store. */
export const cleanName = (name: string): string =>
  name
    .replace(/\p{Cc}|\p{Surrogate}/gu, '')
    .trim()
    .slice(0, 200);

/** Makes an id of letters, digits, spaces, colons, underscores and hyphens. */
export function toSchemaId(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 :_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[ -]+$/g, '')
    .slice(0, 76);
  return id === '' ? 'class' : id;
}

export function uniqueId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  for (let number = 2; ; number++) if (!taken.has(`${id}-${number}`)) return `${id}-${number}`;
}

/**
 * The schema that a mapping needs: the entries of the base, and those of the mapping that it lacks. Throws if it has no
 * class or too many entries.
 */
export function schemaOfMapping(
  mapping: Mapping,
  base: DatasetSchema | null,
  about: { origin: string; name?: string },
): DatasetSchema {
  const schema: DatasetSchema = base
    ? { ...base, classes: [...base.classes], parts: [...base.parts], attributes: [...base.attributes] }
    : {
        id: 'imported',
        name: about.name ?? 'Imported',
        description: `Made from the labels of ${about.origin}.`.slice(0, 300),
        classes: [],
        attributeGroups: [],
        attributes: [],
        parts: [],
      };
  const classes = new Map(schema.classes.map((entry) => [entry.id, entry]));
  /** The display name is that of the category, unless the mapping renames it. */
  const nameOf = (id: string, source: string) => {
    const own = toSchemaId(source);
    const isOwn = id === own || (id.startsWith(`${own}-`) && /^\d+$/.test(id.slice(own.length + 1)));
    return isOwn ? cleanName(source) || id : id;
  };
  const addClass = (id: string, name: string, kind?: 'stuff') => {
    if (classes.has(id)) return;
    const entry = { id, name, ...(kind && { kind }) };
    classes.set(id, entry);
    schema.classes.push(entry);
  };
  for (const entry of mapping.categories) {
    if (entry.to === 'class' || entry.to === 'crowd') addClass(entry.name, nameOf(entry.name, entry.source));
    else if (entry.to === 'stuff') addClass(entry.name, nameOf(entry.name, entry.source), 'stuff');
  }
  for (const entry of mapping.categories)
    if (entry.to === 'part') for (const id of entry.of) addClass(id, id);
  if (mapping.class.from === 'constant') addClass(mapping.class.name, mapping.class.name);
  addParts(schema, mapping, nameOf);
  addAttributes(schema, mapping, nameOf);
  if (schema.classes.length === 0)
    throw new Error(`${about.origin} names no classes, so that nothing can be brought in.`);
  for (const [list, word] of [
    [schema.classes, 'classes'],
    [schema.parts, 'parts'],
  ] as const)
    if (list.length > MAX_ENTRIES)
      throw new Error(
        `${about.origin} has ${list.length} ${word}; a schema can hold ${MAX_ENTRIES}. Leave some out.`,
      );
  return schema;
}

type NameOf = (id: string, source: string) => string;

function addParts(schema: DatasetSchema, { categories }: Mapping, nameOf: NameOf): void {
  const own = new Set<string>();
  let zOrder = schema.parts.reduce((most, part) => Math.max(most, part.zOrder + 1), 0);
  for (const entry of categories) {
    if (entry.to !== 'part') continue;
    const { name: id, of, source, parent, numbered, instance } = entry;
    const isNumbered = numbered === true || (instance ?? 0) > 1;
    const at = schema.parts.findIndex((part) => part.id === id);
    const known = schema.parts[at];
    if (known && !own.has(id)) continue;
    if (known)
      schema.parts[at] = {
        ...known,
        classes: [...new Set([...known.classes, ...of])],
        ...(isNumbered && { numbered: true }),
      };
    else {
      own.add(id);
      schema.parts.push({
        id,
        name: nameOf(id, source),
        classes: [...of],
        zOrder: zOrder++,
        colour: partColour(schema.parts.length),
        ...(isNumbered && { numbered: true }),
        ...(parent !== undefined && { parent }),
      });
    }
  }
}

/** New attributes form one group, in which any number can be chosen. */
function addAttributes(schema: DatasetSchema, { categories }: Mapping, nameOf: NameOf): void {
  const added = categories.flatMap((entry) => {
    if (entry.to !== 'attribute' || schema.attributes.some(({ id }) => id === entry.name)) return [];
    const name = nameOf(entry.name, entry.source);
    schema.attributes.push({ id: entry.name, name, kind: 'localised', definition: name });
    return [entry.name];
  });
  if (added.length === 0) return;
  const taken = new Set(schema.attributeGroups.map(({ id }) => id));
  const group = { id: uniqueId('imported', taken), name: 'Imported', attributes: added };
  schema.attributeGroups = [
    ...schema.attributeGroups,
    { ...group, min: 0, max: added.length, exclusiveNone: false },
  ];
}
