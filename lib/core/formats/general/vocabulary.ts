import type { DatasetSchema } from '@/lib/core/schema/types';
import type { SourceTree } from '../format';
import { type ForeignLabel, foreignSchema } from './foreign-schema';
import { labelTable } from './label-table';
import { readSchemaFile } from './sidecar';
import type { ThingKind } from './things';

/** What the names in label files mean. */
export interface Vocabulary {
  schema: DatasetSchema;
  resolve(name: string): { kind: ThingKind; id: string } | undefined;
}

/** By the schema that our own exports carry; else a schema is made from the labels that the files list. */
export async function vocabularyOf(
  tree: SourceTree,
  source: string,
  labels: () => readonly ForeignLabel[] | Promise<readonly ForeignLabel[]>,
): Promise<Vocabulary> {
  const schema = await readSchemaFile(tree);
  if (schema) return { schema, resolve: labelTable(schema).byName };
  const foreign = foreignSchema(source, await labels());
  return { schema: foreign.schema, resolve: foreign.idOf };
}
