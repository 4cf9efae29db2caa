export * from './attributes';
export * from './choose';
export * from './parts';
export * from './types';
