export * from './datasets';
export * from './images';
export * from './messages';
export * from './operations';
export * from './projects';
export * from './quality';
export * from './users';
export * from './work';
