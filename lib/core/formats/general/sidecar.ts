import { DatasetSchema } from '@/lib/core/schema/types';
import type { FormatFile, SourceTree } from '../format';
import { findPaths, readJson } from './tree';

/** No general format holds rules, definitions and colours of a schema: it travels beside the labels. */
export const SCHEMA_PATH = 'tessera-schema.json';

const encoder = new TextEncoder();

export const schemaFile = (schema: DatasetSchema): FormatFile => ({
  path: SCHEMA_PATH,
  bytes: () => encoder.encode(`${JSON.stringify(schema, null, 1)}\n`),
});

/** The schema that an export of ours carries; null in trees that others made. */
export async function readSchemaFile(tree: SourceTree): Promise<DatasetSchema | null> {
  const [path] = findPaths(tree, /(^|\/)tessera-schema\.json$/);
  if (path === undefined) return null;
  const parsed = DatasetSchema.safeParse(await readJson(tree, path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${path} is no schema: ${issue?.path.join('.')} ${issue?.message}.`);
}
