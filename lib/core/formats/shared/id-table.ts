import { partImageNet } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { FormatFile, FormatOption, SourceTree } from '../format';
import { readSchemaFile, schemaFile } from './vocabulary';

/** A part of one class with the numbers that files use for it. */
export interface IdEntry {
  className: string;
  partId: string;
  /** Pixel value in maps; 0 is background. */
  mask: number;
  /** Category in COCO files. */
  category: number;
}

/** The numbers of a layout for one schema. */
export interface IdTable {
  /** Whether the numbers are those of the published dataset. */
  isOriginal: boolean;
  schema: DatasetSchema;
  /** In alphabetical order, by which readers number classes. */
  classNames: readonly string[];
  entries: readonly IdEntry[];
  find(className: string | null, partId: string): IdEntry | undefined;
  ofMask(value: number): IdEntry | undefined;
  ofCategory(value: number): IdEntry | undefined;
  /** The WordNet id by which the layout keeps images of a class. Classes without one receive a made-up id. */
  wnidOf(className: string): string;
  classOfWnid(wnid: string): string | undefined;
}

/** The option of layouts that were made for one dataset. */
export const idsOption: FormatOption = {
  name: 'ids',
  kind: 'choice',
  description: 'Which classes and parts can be exported.',
  values: [
    {
      value: 'any',
      description:
        'Any. Classes and parts of the original dataset keep its numbers; for another schema, ids.json lists them.',
    },
    { value: 'original', description: 'Those of the original dataset only; others are refused.' },
  ],
  defaultValue: 'any',
};

/** Whether a schema has only classes and parts of a published dataset. Most layouts leave stuff out. */
export const isWithin = (
  schema: DatasetSchema,
  preset: Pick<DatasetSchema, 'classes' | 'parts'>,
  { holdsStuff = false } = {},
): boolean =>
  schema.classes.every(
    ({ id, kind }) => (kind === 'stuff' && !holdsStuff) || preset.classes.some((known) => known.id === id),
  ) &&
  schema.parts.every(({ id, classes }) => {
    const known = preset.parts.find((part) => part.id === id);
    return known !== undefined && classes.every((className) => known.classes.includes(className));
  });

/** Made-up ids start here; WordNet has no offsets above it. */
const FIRST_MADE_UP = 90_000_000;

function tableOf(
  schema: DatasetSchema,
  entries: readonly IdEntry[],
  classNames: readonly string[],
  isOriginal: boolean,
): IdTable {
  const byKey = new Map(entries.map((entry) => [`${entry.className}\n${entry.partId}`, entry]));
  const byMask = new Map(entries.map((entry) => [entry.mask, entry]));
  const byCategory = new Map(entries.map((entry) => [entry.category, entry]));
  const wnids = new Map(
    classNames.map((name, index) => [
      name,
      schema.classes.find(({ id }) => id === name)?.wnids?.[0] ?? `n${FIRST_MADE_UP + index}`,
    ]),
  );
  const owners = new Map([
    ...[...wnids].map(([name, wnid]) => [wnid, name] as const),
    ...schema.classes.flatMap(({ id, wnids: own }) => (own ?? []).map((wnid) => [wnid, id] as const)),
  ]);
  return {
    isOriginal,
    schema,
    classNames,
    entries,
    find: (className, partId) => byKey.get(`${className}\n${partId}`),
    ofMask: (value) => byMask.get(value),
    ofCategory: (value) => byCategory.get(value),
    wnidOf: (className) => wnids.get(className) ?? '',
    classOfWnid: (wnid) => owners.get(wnid),
  };
}

const originalEntries = partImageNet.parts.map(({ id, classes, codes }) => ({
  className: classes[0] as string,
  partId: id,
  mask: codes?.mask as number,
  category: codes?.coco as number,
}));

const original = tableOf(
  partImageNet,
  originalEntries,
  partImageNet.classes.map(({ id }) => id).sort(),
  true,
);

/** The numbers of PartImageNet, or for another schema those of `numberedTable`. */
export const partImageNetTable = (schema: DatasetSchema): IdTable =>
  isWithin(schema, partImageNet) ? original : numberedTable(schema);

/** Numbers classes alphabetically and the parts of each in the order of the schema, as PartImageNet does. */
export function numberedTable(schema: DatasetSchema): IdTable {
  const classNames = schema.classes
    .filter(({ kind }) => kind !== 'stuff')
    .map(({ id }) => id)
    .sort();
  const entries = classNames
    .flatMap((className) =>
      schema.parts
        .filter(({ classes }) => classes.includes(className))
        .map(({ id }) => ({ className, partId: id })),
    )
    .map((entry, index) => ({ ...entry, mask: index + 1, category: index }));
  return tableOf(schema, entries, classNames, false);
}

/** The numbers of a tree: those of the schema file that exports of other schemas include, or the original ones. */
export async function readIdTable(tree: SourceTree): Promise<IdTable> {
  const schema = await readSchemaFile(tree);
  return schema ? partImageNetTable(schema) : original;
}

/** The files that describe the numbers of a schema that is not the original one. */
export function* idFiles(table: IdTable): Generator<FormatFile> {
  if (table.isOriginal) return;
  const { schema, classNames, entries } = table;
  const document = {
    background: 0,
    classes: classNames.map((id, index) => ({
      id,
      index,
      name: schema.classes.find((entry) => entry.id === id)?.name ?? id,
      wnid: table.wnidOf(id),
      parts: entries
        .filter(({ className }) => className === id)
        .map(({ partId, mask, category }) => ({
          id: partId,
          name: schema.parts.find((part) => part.id === partId)?.name ?? partId,
          mask,
          category,
        })),
    })),
  };
  yield schemaFile(schema);
  yield {
    path: 'ids.json',
    bytes: () => new TextEncoder().encode(`${JSON.stringify(document, null, 1)}\n`),
  };
}

/** The loss of numbers that the code of the original dataset does not know. */
export const otherIdsLoss = (isOriginal: boolean): string[] =>
  isOriginal
    ? []
    : [
        'The schema is not that of the original dataset: code with built-in tables must read ids.json instead.',
      ];
