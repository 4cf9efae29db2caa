export { difference, exclusive, intersection, invert, merge, union } from './algebra';
export { MaskBatch } from './batch';
export {
  fromBitmap,
  fromColumnBitmap,
  fromPackedBits,
  fromRgba,
  type RgbaImage,
  toBitmap,
  toColumnBitmap,
  toPackedBits,
  toRgba,
} from './bitmap';
export { BitmapBuffer } from './bitmap-buffer';
export { boundaryFScore, boundaryIou } from './boundary';
export { rasterizeBox } from './box';
export { MaskCanvas } from './canvas';
export { decodeCounts, encodeCounts, fromCounts, storedMask, toCounts } from './codec';
export { cocoIou, dice, intersectionArea, iou, iouMatrix, precision, recall } from './compare';
export { type Connectivity, components, fillHoles, removeSpecks } from './components';
export { MaskError, type MaskErrorCode } from './errors';
export { hausdorff95 } from './hausdorff';
export {
  fromLabelMap,
  type LabelMap,
  type Layer,
  MAX_LABEL,
  type OverlapRule,
  toLabelMap,
} from './label-map';
export { MAX_COORDINATE, MAX_PIXELS, MAX_SIDE } from './limits';
export { emptyMask, equals, fullMask, hash, type Mask } from './mask';
export { area, boundingBox, isEmpty } from './measure';
export { dilate, erode, innerBoundary } from './morphology';
export { outlinePath } from './outline-path';
export { rasterizePolygons, rasterizePolygonWithHoles } from './polygon';
export { type Region, toRegions } from './regions';
export { rowToggles } from './row-toggles';
export {
  type BitmapShape,
  type PolygonShape,
  rasterizeShape,
  rasterizeShapes,
  type Shape,
  type ShapeOp,
  type StrokeShape,
} from './shapes';
export { rasterizeRegions, simplifiedRegions } from './simplify';
export { DEFAULT_SIZE_AWARE_RULE, fairIou, type SizeAwareRule, sizeAwareScore } from './size-aware';
export { rasterizeStroke } from './stroke';
export { crop, flipHorizontal, flipVertical, type Padding, pad, scale, translate } from './transform';
export { atLeast, voteMap } from './votes';
