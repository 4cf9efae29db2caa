export { decodeColumns, decodeRows, encodeColumns, encodeRows } from './bitmap';
export { readCounts, writeCounts } from './codec';
export { combine } from './combine';
export { matrix, measure, measureAreas, measureBoxes, overlapRatio } from './matrix';
export { reserve } from './memory';
export { overlap } from './overlap';
export { polygon, resultAt } from './polygon';
