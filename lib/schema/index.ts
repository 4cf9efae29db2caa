export * from './attributes';
export * from './parts';
export * from './types';
