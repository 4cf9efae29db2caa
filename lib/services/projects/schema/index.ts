export { applySchemaChange } from './apply-schema-change';
export { getVersion, type ListedVersion, listVersions } from './list-versions';
export { readSchema, type SavedSchema, type SchemaSaved, saveSchema } from './save-schema';
export { type SchemaEffects, schemaEffects } from './schema-effects';
