import { DatasetSchema } from '@/lib/core/schema/types';
import type { FormatFile, SourceTree } from '../format';
import type { Annotation, AnnotationKind } from './annotations';
import { findPaths, readJson } from './read-tree';

/** The meaning of the names in label files. */
export interface Vocabulary {
  schema: DatasetSchema;
  resolve(name: string): { kind: AnnotationKind; id: string } | undefined;
}

/** The meaning of names in exports of our own, whose schema is a file. Null if there is none. */
export async function readKnown(tree: SourceTree): Promise<Vocabulary | null> {
  const schema = await readSchemaFile(tree);
  return schema && { schema, resolve: createLabelTable(schema).byName };
}

/** An entry in the label list of a general format, which combines classes, parts and localised attributes. */
interface TableLabel {
  kind: AnnotationKind;
  id: string;
  /** Unique within the list. */
  name: string;
  /** The class of a part, or an empty string if it has several classes or none. */
  parent: string;
  colour: string;
}

export interface LabelTable {
  labels: readonly TableLabel[];
  /** Index in the list, from 0. */
  indexOf(annotation: Pick<Annotation, 'kind' | 'id'>): number;
  byName(name: string): TableLabel | undefined;
}

const OBJECT_COLOUR = '#7f7f7f';

/** Lists classes, then parts, then localised attributes. The numbers depend on the schema only. */
export function createLabelTable(schema: DatasetSchema): LabelTable {
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
  // Classes keep their plain names, so that a parent is always the id of a class.
  const nameOf = ({ kind, id }: { kind: AnnotationKind; id: string }) =>
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

/** General formats have no place for rules, definitions and colours, so exports include the schema as a file. */
const SCHEMA_PATH = 'tessera-schema.json';

const encoder = new TextEncoder();

export const schemaFile = (schema: DatasetSchema): FormatFile => ({
  path: SCHEMA_PATH,
  bytes: () => encoder.encode(`${JSON.stringify(schema, null, 1)}\n`),
});

/** Reads the schema file of our own exports. Returns null if there is none. */
export async function readSchemaFile(tree: SourceTree): Promise<DatasetSchema | null> {
  const [path] = findPaths(tree, /(^|\/)tessera-schema\.json$/);
  if (path === undefined) return null;
  const parsed = DatasetSchema.safeParse(await readJson(tree, path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${path} is no schema: ${issue?.path.join('.')} ${issue?.message}.`);
}
