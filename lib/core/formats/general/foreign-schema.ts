import { partColour } from '@/lib/core/schema/parts';
import { MOST_ENTRIES } from '@/lib/core/schema/problems';
import type { DatasetSchema } from '@/lib/core/schema/types';

export interface ForeignLabel {
  name: string;
  /** Name of another label that this one is a part of. */
  parent?: string;
}

/** Ids by the names that the files use. */
export interface ForeignSchema {
  schema: DatasetSchema;
  idOf(name: string): { kind: 'object' | 'part'; id: string } | undefined;
}

/** A schema made from labels that another tool wrote: those with a parent among them are parts of it. */
export function foreignSchema(source: string, labels: readonly ForeignLabel[]): ForeignSchema {
  const byName = new Map<string, ForeignLabel>();
  for (const label of labels) if (!byName.has(label.name)) byName.set(label.name, label);
  const unique = [...byName.values()];
  const isPart = ({ name, parent }: ForeignLabel) =>
    parent !== undefined && parent !== '' && parent !== name && byName.has(parent);
  const ids = new Map<string, { kind: 'object' | 'part'; id: string }>();
  const taken = new Set<string>();
  const enter = (name: string, kind: 'object' | 'part') => {
    const id = uniqueId(idFrom(name), taken);
    taken.add(id);
    ids.set(name, { kind, id });
    return id;
  };
  const classes = unique.filter((label) => !isPart(label));
  const parts = unique.filter(isPart);
  for (const [list, word] of [
    [classes, 'classes'],
    [parts, 'parts'],
  ] as const)
    if (list.length > MOST_ENTRIES)
      throw new Error(
        `${source} has ${list.length} ${word}; a schema can hold ${MOST_ENTRIES}. Leave some out.`,
      );
  for (const { name } of classes) enter(name, 'object');
  for (const { name } of parts) enter(name, 'part');
  if (classes.length === 0) throw new Error(`${source} names no classes, so that nothing can be brought in.`);
  const idOf = (name: string) => ids.get(name)?.id as string;
  /** A part of a part is a part of the class above. */
  const classOf = (label: ForeignLabel): string => {
    let at: ForeignLabel | undefined = label;
    for (let steps = 0; at && isPart(at) && steps < 10; steps++) at = byName.get(at.parent ?? '');
    return at && !isPart(at) ? idOf(at.name) : idOf((classes[0] as ForeignLabel).name);
  };
  return {
    idOf: (name) => ids.get(name),
    schema: {
      id: 'imported',
      name: 'Imported',
      description: `Made from the labels of ${source}.`.slice(0, 300),
      classes: classes.map(({ name }) => ({ id: idOf(name), name: shownName(name) || idOf(name) })),
      attributeGroups: [],
      attributes: [],
      parts: parts.map((label, index) => ({
        id: idOf(label.name),
        name: shownName(label.name) || idOf(label.name),
        classes: [classOf(label)],
        zOrder: index,
        colour: partColour(index),
      })),
    },
  };
}

/** For people; a database holds neither control characters nor half ones. */
const shownName = (name: string): string =>
  name
    .replace(/\p{Cc}|\p{Surrogate}/gu, '')
    .trim()
    .slice(0, 200);

/** Letters, digits, space, colon, underscore and hyphen are what ids are made of. */
export function idFrom(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 :_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[ -]+$/g, '')
    .slice(0, 76);
  return id === '' ? 'class' : id;
}

function uniqueId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  for (let number = 2; ; number++) if (!taken.has(`${id}-${number}`)) return `${id}-${number}`;
}
