import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Thing, ThingKind } from './things';

/** A line in the list of labels that a general format has: classes, parts and drawn attributes in one. */
export interface TableLabel {
  kind: ThingKind;
  id: string;
  /** Unique in the list, whatever its kind. */
  name: string;
  /** Name of the class that a part is of; empty where it is of several, or of none. */
  parent: string;
  colour: string;
}

export interface LabelTable {
  labels: readonly TableLabel[];
  /** Place in the list, from 0. */
  indexOf(thing: Pick<Thing, 'kind' | 'id'>): number;
  byName(name: string): TableLabel | undefined;
}

const OBJECT_COLOUR = '#7f7f7f';

/** Classes first, then parts, then localised attributes: the numbers depend on the schema only. */
export function labelTable(schema: DatasetSchema): LabelTable {
  const plain = [
    ...schema.classes.map(({ id }) => ({ kind: 'object' as const, id, parent: '', colour: OBJECT_COLOUR })),
    ...schema.parts.map(({ id, classes, colour }) => ({
      kind: 'part' as const,
      id,
      parent: classes.length === 1 ? (classes[0] as string) : '',
      colour,
    })),
    ...schema.attributes
      .filter(({ kind }) => kind === 'localised')
      .map(({ id }) => ({ kind: 'attribute' as const, id, parent: '', colour: OBJECT_COLOUR })),
  ];
  const times = new Map<string, number>();
  for (const { id } of plain) times.set(id, (times.get(id) ?? 0) + 1);
  // The class keeps the plain name, so that parents are ids of classes.
  const nameOf = ({ kind, id }: { kind: ThingKind; id: string }) =>
    times.get(id) === 1 || kind === 'object' ? id : `${id} (${kind})`;
  const labels = plain.map((label) => ({ ...label, name: nameOf(label) }));
  const places = new Map(labels.map(({ kind, id }, index) => [`${kind} ${id}`, index]));
  const names = new Map(labels.map((label) => [label.name, label]));
  return {
    labels,
    byName: (name) => names.get(name),
    indexOf({ kind, id }) {
      const place = places.get(`${kind} ${id}`);
      if (place === undefined) throw new Error(`The schema has no ${kind} "${id}".`);
      return place;
    },
  };
}
