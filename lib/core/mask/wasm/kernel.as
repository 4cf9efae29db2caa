export { carry, decodeColumns, decodeRows, encodeColumns, encodeRows, erase, markRuns } from './bitmap';
export { frameAll, matrix, measureAreas, measureBoxes, overlap, overlapRatio } from './measure';
export { reserve } from './memory';
export { markRing, polygon, resultAt } from './polygon';
export { pointsAt, ringsAt, traceRegions } from './regions';
export { combinedAt, frame, intersect, readCounts, subtract, unite, writeCounts } from './runs';
