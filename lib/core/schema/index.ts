/** Classes, attributes and parts of a project, their changes, and presets (`presets`, which only some pages load). */

export * from './attributes';
export * from './edit-schema';
export * from './schema-change';
export * from './types';
