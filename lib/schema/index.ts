export * from './attributes';
export * from './carry-choices';
export * from './choose';
export * from './edit-schema';
export * from './parts';
export * from './problems';
export * from './schema-change';
export * from './types';
