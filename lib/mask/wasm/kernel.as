export { decodeColumns, decodeRows, encodeColumns, encodeRows } from './bitmap';
export { readCounts, writeCounts } from './codec';
export { combinedAt, intersect, subtract, unite } from './combine';
export { frameAll, matrix, measureAreas, measureBoxes, overlapRatio } from './matrix';
export { reserve } from './memory';
export { overlap } from './overlap';
export { polygon, resultAt } from './polygon';
export { frame } from './runs';
