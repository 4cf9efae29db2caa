export * from './check-text';
export * from './file';
export * from './keys';
export * from './schema-texts';
export * from './texts';
