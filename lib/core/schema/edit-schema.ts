import {
  type AttributeGroup,
  type DatasetSchema,
  DatasetSchemaShape,
  partColour,
  type SchemaAttribute,
  type SchemaClass,
  type SchemaPart,
  type SchemaProblem,
  schemaProblems,
} from './types';

export interface SchemaLists {
  classes: SchemaClass;
  attributeGroups: AttributeGroup;
  attributes: SchemaAttribute;
  parts: SchemaPart;
}
export type ListName = keyof SchemaLists;

/** One step of a person's hand in the schema editor. Places are indices into the lists of the draft. */
export type SchemaEdit =
  | { readonly do: 'replace'; readonly schema: DatasetSchema }
  | { readonly do: 'about'; readonly name: string; readonly description: string }
  | { readonly do: 'flags'; readonly flags: NonNullable<DatasetSchema['flags']> }
  | {
      [List in ListName]: {
        readonly do: 'set';
        readonly list: List;
        readonly index: number;
        readonly fields: Partial<SchemaLists[List]>;
      };
    }[ListName]
  /** Another name for an entry that was never saved: its id follows, and so does whatever names it. */
  | { readonly do: 'rename'; readonly list: ListName; readonly index: number; readonly name: string }
  | { readonly do: 'add'; readonly list: ListName; readonly group?: string }
  | { readonly do: 'remove'; readonly list: ListName; readonly index: number }
  | { readonly do: 'move-attribute'; readonly id: string; readonly group: string }
  /** Puts a part where another one is in the order of painting. */
  | { readonly do: 'move-part'; readonly id: string; readonly before: string | null };

export function editSchema(schema: DatasetSchema, edit: SchemaEdit): DatasetSchema {
  switch (edit.do) {
    case 'replace':
      return edit.schema;
    case 'about':
      return { ...schema, name: edit.name, description: edit.description };
    case 'flags':
      return { ...schema, flags: edit.flags.length > 0 ? edit.flags : undefined };
    case 'set':
      return withEntry(schema, edit.list, edit.index, edit.fields);
    case 'rename':
      return rename(schema, edit.list, edit.index, edit.name);
    case 'add':
      return add(schema, edit.list, edit.group);
    case 'remove':
      return remove(schema, edit.list, edit.index);
    case 'move-attribute':
      return moveAttribute(schema, edit.id, edit.group);
    case 'move-part':
      return movePart(schema, edit.id, edit.before);
  }
}

/** Everything that keeps a draft from being saved: fields that are not filled in, and what contradicts itself. */
export function draftProblems(draft: DatasetSchema): SchemaProblem[] {
  const { error } = DatasetSchemaShape.safeParse(draft);
  const fields = (error?.issues ?? []).map(({ path, message }) => ({
    path: path.map((step) => (typeof step === 'number' ? step : String(step))),
    message: plain(message),
  }));
  return [...fields, ...schemaProblems(draft)];
}

const plain = (message: string): string =>
  message.startsWith('Too small') ? 'must not be empty' : message.replace(/^Invalid input: /, '');

function withEntry(
  schema: DatasetSchema,
  list: ListName,
  index: number,
  fields: Partial<SchemaLists[ListName]>,
): DatasetSchema {
  const entries = schema[list].map((entry, at) => (at === index ? { ...entry, ...fields } : entry));
  return { ...schema, [list]: entries };
}

function rename(schema: DatasetSchema, list: ListName, index: number, name: string): DatasetSchema {
  const before = schema[list][index]?.id ?? '';
  const others = schema[list].filter((_, at) => at !== index).map((entry) => entry.id);
  const id = idFrom(name, others);
  const swap = (ids: string[]) => ids.map((each) => (each === before ? id : each));
  const renamed = withEntry(schema, list, index, { id, name });
  if (list === 'classes') {
    return { ...renamed, parts: renamed.parts.map((part) => ({ ...part, classes: swap(part.classes) })) };
  }
  if (list === 'parts') {
    const parts = renamed.parts.map((part) => (part.parent === before ? { ...part, parent: id } : part));
    return { ...renamed, parts };
  }
  if (list !== 'attributes') return renamed;
  const attributeGroups = renamed.attributeGroups.map((group) => ({
    ...group,
    attributes: swap(group.attributes),
  }));
  return { ...renamed, attributeGroups };
}

function add(schema: DatasetSchema, list: ListName, group?: string): DatasetSchema {
  const id = idFrom(
    'new',
    schema[list].map((entry) => entry.id),
  );
  switch (list) {
    case 'classes':
      return { ...schema, classes: [...schema.classes, { id, name: '' }] };
    case 'attributeGroups': {
      const made = { id, name: '', attributes: [], min: 1, max: 1, exclusiveNone: true };
      return { ...schema, attributeGroups: [...schema.attributeGroups, made] };
    }
    case 'attributes': {
      const made: SchemaAttribute = { id, name: '', kind: 'localised', definition: '' };
      const grown = { ...schema, attributes: [...schema.attributes, made] };
      return group === undefined ? grown : moveAttribute(grown, id, group);
    }
    case 'parts': {
      const zOrder = Math.max(0, ...schema.parts.map((part) => part.zOrder)) + 1;
      const made = { id, name: '', classes: [], zOrder, colour: partColour(schema.parts.length) };
      return { ...schema, parts: [...schema.parts, made] };
    }
  }
}

/** With what cannot be without it: the attributes of a group, the mention of a class in its parts, or of a parent. */
function remove(schema: DatasetSchema, list: ListName, index: number): DatasetSchema {
  const gone = schema[list][index];
  if (!gone) return schema;
  const left = { ...schema, [list]: schema[list].filter((_, at) => at !== index) };
  if (list === 'classes') {
    const without = (ids: string[]) => ids.filter((id) => id !== gone.id);
    return { ...left, parts: left.parts.map((part) => ({ ...part, classes: without(part.classes) })) };
  }
  if (list === 'attributeGroups') {
    const members = schema.attributeGroups[index]?.attributes ?? [];
    return { ...left, attributes: left.attributes.filter(({ id }) => !members.includes(id)) };
  }
  if (list === 'attributes') {
    const attributeGroups = left.attributeGroups.map((group) => ({
      ...group,
      attributes: group.attributes.filter((id) => id !== gone.id),
    }));
    return { ...left, attributeGroups };
  }
  if (list === 'parts') {
    const parts = left.parts.map((part) => (part.parent === gone.id ? { ...part, parent: undefined } : part));
    return { ...left, parts };
  }
  return left;
}

function moveAttribute(schema: DatasetSchema, id: string, group: string): DatasetSchema {
  const attributeGroups = schema.attributeGroups.map((each) => {
    const others = each.attributes.filter((other) => other !== id);
    const attributes = each.id === group ? [...others, id] : others;
    // A group that allowed all of its attributes goes on allowing all of them.
    const max = each.max === each.attributes.length ? Math.max(1, attributes.length) : each.max;
    return { ...each, attributes, max };
  });
  return { ...schema, attributeGroups };
}

/**
 * Only among the parts that share a class, for no others ever lie on one object: these take the numbers they have
 * between them, in the new order, and the rest keep theirs.
 */
function movePart(schema: DatasetSchema, id: string, before: string | null): DatasetSchema {
  const moved = schema.parts.find((part) => part.id === id);
  if (!moved || before === id) return schema;
  const all = inOrder(schema.parts);
  const limit = before === null ? all.length : all.findIndex((part) => part.id === before);
  const mates = all.filter((part) => part === moved || shareClass(part, moved));
  const below = mates.filter((part) => part !== moved && all.indexOf(part) < limit);
  const above = mates.filter((part) => part !== moved && all.indexOf(part) >= limit);
  const order = [...below, moved, ...above];
  const numbers = mates.map((part) => part.zOrder);
  const lowest = numbers[0] ?? 0;
  const areApart = new Set(numbers).size === numbers.length;
  const numberOf = (part: SchemaPart) => {
    const place = order.indexOf(part);
    return areApart ? (numbers[place] ?? lowest) : lowest + place;
  };
  const parts = schema.parts.map((part) =>
    order.includes(part) ? { ...part, zOrder: numberOf(part) } : part,
  );
  return { ...schema, parts };
}

/** Whether two parts can lie on one object. A part without a class yet may come to any. */
export const shareClass = (a: SchemaPart, b: SchemaPart): boolean =>
  a.classes.length === 0 || b.classes.length === 0 || a.classes.some((id) => b.classes.includes(id));

/** Parts as an exporter paints them: the last one is on top. */
export const inOrder = (parts: readonly SchemaPart[]): SchemaPart[] =>
  [...parts].sort((a, b) => a.zOrder - b.zOrder || parts.indexOf(a) - parts.indexOf(b));

/** An id made of a name, unlike any of the others. */
export function idFrom(name: string, others: readonly string[]): string {
  const stem =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 70)
      .replace(/^-+|-+$/g, '') || 'new';
  const free = stem === 'none' ? 'none-of-it' : stem;
  if (!others.includes(free)) return free;
  for (let n = 2; ; n++) if (!others.includes(`${free}-${n}`)) return `${free}-${n}`;
}
