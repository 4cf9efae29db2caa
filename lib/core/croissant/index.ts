/**
 * Dataset documentation in the Croissant format of MLCommons (version 1.1) with the Responsible AI vocabulary (version
 * 1.0). `buildCroissant` describes an export from measured values and the statements of its authors, and
 * `checkCroissant` verifies a description against both specifications.
 */
export * from './build';
export * from './check';
export * from './measured';
export * from './responsible-ai';
export * from './statements';
