/** Translatable texts of a project and the table in which they are exchanged. */

export * from './check-text';
export * from './file';
export * from './keys';
export * from './schema-texts';
export * from './texts';
