import { DatasetSchema, MAX_ENTRIES, partColour } from '@/lib/core/schema/types';
import type { FormatFile, SourceTree } from '../format';
import type { Annotation, AnnotationKind } from './annotations';
import { findPaths, readJson } from './read-tree';

/** The meaning of the names in label files. */
export interface Vocabulary {
  schema: DatasetSchema;
  resolve(name: string): { kind: AnnotationKind; id: string } | undefined;
}

/** Uses the schema file of our own exports, or infers a schema from the labels that the files list. */
export async function readVocabulary(
  tree: SourceTree,
  source: string,
  labels: () => readonly ExternalLabel[] | Promise<readonly ExternalLabel[]>,
): Promise<Vocabulary> {
  const schema = await readSchemaFile(tree);
  if (schema) return { schema, resolve: createLabelTable(schema).byName };
  const foreign = inferSchema(source, await labels());
  return { schema: foreign.schema, resolve: foreign.idOf };
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

export interface ExternalLabel {
  name: string;
  /** The name of the label that this one is a part of. */
  parent?: string;
}

/** A schema with a lookup from the names in the files to ids. */
interface InferredSchema {
  schema: DatasetSchema;
  idOf(name: string): { kind: 'object' | 'part'; id: string } | undefined;
}

/** Infers a schema from the labels of another tool. A label whose parent is in the list becomes a part. */
export function inferSchema(source: string, labels: readonly ExternalLabel[]): InferredSchema {
  const byName = new Map<string, ExternalLabel>();
  for (const label of labels) if (!byName.has(label.name)) byName.set(label.name, label);
  const unique = [...byName.values()];
  const isPart = ({ name, parent }: ExternalLabel) =>
    parent !== undefined && parent !== '' && parent !== name && byName.has(parent);
  const ids = new Map<string, { kind: 'object' | 'part'; id: string }>();
  const taken = new Set<string>();
  const enter = (name: string, kind: 'object' | 'part') => {
    const id = uniqueId(toSchemaId(name), taken);
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
    if (list.length > MAX_ENTRIES)
      throw new Error(
        `${source} has ${list.length} ${word}; a schema can hold ${MAX_ENTRIES}. Leave some out.`,
      );
  for (const { name } of classes) enter(name, 'object');
  for (const { name } of parts) enter(name, 'part');
  if (classes.length === 0) throw new Error(`${source} names no classes, so that nothing can be brought in.`);
  const idOf = (name: string) => ids.get(name)?.id as string;
  /** A part of a part belongs to the class at the top. */
  const classOf = (label: ExternalLabel): string => {
    let at: ExternalLabel | undefined = label;
    for (let steps = 0; at && isPart(at) && steps < 10; steps++) at = byName.get(at.parent ?? '');
    return at && !isPart(at) ? idOf(at.name) : idOf((classes[0] as ExternalLabel).name);
  };
  return {
    idOf: (name) => ids.get(name),
    schema: {
      id: 'imported',
      name: 'Imported',
      description: `Made from the labels of ${source}.`.slice(0, 300),
      classes: classes.map(({ name }) => ({ id: idOf(name), name: cleanName(name) || idOf(name) })),
      attributeGroups: [],
      attributes: [],
      parts: parts.map((label, index) => ({
        id: idOf(label.name),
        name: cleanName(label.name) || idOf(label.name),
        classes: [classOf(label)],
        zOrder: index,
        colour: partColour(index),
      })),
    },
  };
}

/** Removes control characters and lone surrogates, which PostgreSQL cannot store. */
const cleanName = (name: string): string =>
  name
    .replace(/\p{Cc}|\p{Surrogate}/gu, '')
    .trim()
    .slice(0, 200);

/** Makes an id of letters, digits, spaces, colons, underscores and hyphens. */
function toSchemaId(name: string): string {
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
