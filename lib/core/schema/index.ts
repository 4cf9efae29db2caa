/** Classes, attributes and parts of a project, and the effects of changing them. Presets are in `presets`. */

export * from './attributes';
export * from './edit-schema';
export * from './schema-change';
export * from './types';
