import type { Kernel } from './kernel';
import { decodeColumns, decodeRows, encodeColumns, encodeRows } from './plain-bitmap';
import { readCounts, writeCounts } from './plain-codec';
import { combine, overlap, overlapRatio } from './plain-combine';
import { iouMatrix } from './plain-matrix';
import { rasterize } from './plain-polygon';
import { regions } from './plain-regions';

export const plainKernel: Kernel = {
  name: 'plain',
  rasterize,
  combine,
  overlap,
  overlapRatio,
  iouMatrix,
  encodeRows,
  encodeColumns,
  decodeRows,
  decodeColumns,
  writeCounts,
  readCounts,
  regions,
};
