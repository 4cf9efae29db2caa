export * from './attributes';
export * from './edit-schema';
export * from './schema-change';
export * from './types';
