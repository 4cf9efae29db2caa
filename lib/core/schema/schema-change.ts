import type { DatasetSchema } from './types';

export const entryKinds = ['class', 'group', 'attribute', 'part'] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface FieldChange {
  field: string;
  from: string;
  to: string;
}

/** What happened to one entry between two schemas. Ids stay for ever: another id is another entry. */
export interface EntryChange {
  entry: EntryKind;
  id: string;
  name: string;
  change: 'added' | 'removed' | 'renamed' | 'changed';
  /** Of an entry that is in both. */
  fields: FieldChange[];
  /** What the change means for labels that exist, in one sentence. */
  labels: string;
}

/** Every difference between two schemas, in the order classes, groups, attributes, parts. */
export function schemaChange(old: DatasetSchema, next: DatasetSchema): EntryChange[] {
  const sides = [listsOf(old), listsOf(next)] as const;
  return entryKinds.flatMap((entry) => {
    const [before, after] = [sides[0][entry], sides[1][entry]];
    const gone = before
      .filter(({ id }) => !after.some((other) => other.id === id))
      .map(({ id, name }) => changeOf(entry, id, name, 'removed', []));
    const rest = after.flatMap((now) => {
      const was = before.find(({ id }) => id === now.id);
      if (!was) return [changeOf(entry, now.id, now.name, 'added', [])];
      const fields = differences(was.fields, now.fields);
      if (fields.length === 0) return [];
      const isName = fields.every(({ field }) => field === 'name');
      return [changeOf(entry, now.id, now.name, isName ? 'renamed' : 'changed', fields)];
    });
    return [...gone, ...rest];
  });
}

interface Entry {
  id: string;
  name: string;
  fields: Record<string, string>;
}

/** Each entry as what a person sees of it; an attribute also by the group that it is in. */
function listsOf(schema: DatasetSchema): Record<EntryKind, Entry[]> {
  const groupOf = (id: string) =>
    schema.attributeGroups.find((group) => group.attributes.includes(id))?.id ?? '';
  return {
    class: schema.classes.map(({ id, name, kind, numbered, definition, superclass, wnids }) => ({
      id,
      name,
      fields: {
        name,
        definition: definition ?? '',
        kind: kind ?? 'thing',
        'several per image': numbered ? 'yes' : 'no',
        'super-class': superclass ?? '',
        'WordNet ids': wnids?.join(' ') ?? '',
      },
    })),
    group: schema.attributeGroups.map(({ id, name, min, max, exclusiveNone }) => ({
      id,
      name,
      fields: { name, 'at least': `${min}`, 'at most': `${max}`, '“none”': exclusiveNone ? 'yes' : 'no' },
    })),
    attribute: schema.attributes.map(({ id, name, kind, definition }) => ({
      id,
      name,
      fields: { name, mask: kind, definition, group: groupOf(id) },
    })),
    part: schema.parts.map(({ id, name, classes, definition, numbered, parent, zOrder, colour }) => ({
      id,
      name,
      fields: {
        name,
        classes: [...classes].sort().join(', '),
        definition: definition ?? '',
        'several per object': numbered ? 'yes' : 'no',
        'part of': parent ?? '',
        order: `${zOrder}`,
        colour,
      },
    })),
  };
}

const toOf = (fields: readonly FieldChange[], name: string): string | undefined =>
  fields.find(({ field }) => field === name)?.to;

const differences = (from: Record<string, string>, to: Record<string, string>): FieldChange[] =>
  Object.keys(to)
    .filter((field) => from[field] !== to[field])
    .map((field) => ({ field, from: from[field] ?? '', to: to[field] ?? '' }));

function changeOf(
  entry: EntryKind,
  id: string,
  name: string,
  change: EntryChange['change'],
  fields: FieldChange[],
): EntryChange {
  return { entry, id, name, change, fields, labels: sentence(entry, change, fields) };
}

const removed: Record<EntryKind, string> = {
  class: 'Images keep the class as a word; masks of its parts are set aside.',
  group: 'Forms keep what was chosen in it; it is no longer asked.',
  attribute: 'Forms keep it on record but nobody reads it any more; its masks are set aside.',
  part: 'Its masks stay on record and are set aside.',
};

const added: Record<EntryKind, string> = {
  class: 'No label changes.',
  group: 'Forms that exist say nothing about it until they are asked again.',
  attribute: 'Forms that exist say nothing about it until they are asked again.',
  part: 'It is asked about every image of its classes.',
};

function sentence(entry: EntryKind, change: EntryChange['change'], fields: FieldChange[]): string {
  if (change === 'removed') return removed[entry];
  if (change === 'added') return added[entry];
  const has = (...names: string[]) => fields.some(({ field }) => names.includes(field));
  if (has('classes')) return 'Masks on classes it leaves are set aside; on new classes it is asked.';
  if (has('mask')) return 'Masks are asked where it is drawn now, and set aside where it is not any more.';
  if (has('at least', 'at most', '“none”')) return 'Forms that break the new rule are asked again.';
  if (has('kind'))
    return toOf(fields, 'kind') === 'stuff'
      ? 'Outlines are kept as regions of stuff; it can have no parts.'
      : 'Regions are kept, each as one object.';
  if (has('several per image'))
    return toOf(fields, 'several per image') === 'yes'
      ? 'Outlines are kept as one object each; gold waits until a curator confirms its objects.'
      : 'Outlines are kept with the objects that they have; from now on one is drawn.';
  if (has('several per object'))
    return toOf(fields, 'several per object') === 'yes'
      ? 'Masks are kept as one instance each; gold waits until a curator confirms its instances.'
      : 'Masks are kept with the instances that they have; from now on one is drawn.';
  if (has('part of')) return 'Masks are kept; exports and training use the new hierarchy.';
  if (has('definition')) return 'Labels are kept; who works from now on reads the new definition.';
  return 'Labels are kept.';
}
