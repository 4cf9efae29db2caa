/** Run-length masks: rasterization by COCO's fill rule, set operations, comparison, compressed strings. */

export {
  area,
  atLeast,
  boundingBox,
  DEFAULT_SIZE_AWARE_RULE,
  difference,
  exclusive,
  fairIou,
  intersection,
  invert,
  isEmpty,
  merge,
  type SizeAwareRule,
  sizeAwareScore,
  union,
  voteMap,
} from './algebra';
export { MaskBatch } from './batch';
export {
  BitmapBuffer,
  fromBitmap,
  fromColumnBitmap,
  fromPackedBits,
  fromRgba,
  type RgbaImage,
  rowToggles,
  toBitmap,
  toColumnBitmap,
  toPackedBits,
  toRgba,
} from './bitmap';
export { decodeCounts, encodeCounts, fromCounts, storedMask, toCounts } from './codec';
export {
  boundaryFScore,
  boundaryIou,
  cocoIou,
  dice,
  hausdorff95,
  intersectionArea,
  iou,
  iouMatrix,
  precision,
  recall,
} from './compare';
export {
  fromLabelMap,
  type LabelMap,
  type Layer,
  MAX_LABEL,
  type OverlapRule,
  toLabelMap,
} from './label-map';
export {
  emptyMask,
  equals,
  fullMask,
  hash,
  MAX_COORDINATE,
  MAX_PIXELS,
  MAX_SIDE,
  type Mask,
  MaskError,
  type MaskErrorCode,
  rasterizeBox,
} from './mask';
export { dilate, erode, innerBoundary } from './morphology';
export { rasterizePolygons, rasterizePolygonWithHoles } from './polygon';
export {
  type Connectivity,
  components,
  fillHoles,
  outlinePath,
  type Region,
  rasterizeRegions,
  removeSpecks,
  simplifiedRegions,
  toRegions,
} from './regions';
export {
  type BitmapShape,
  MaskCanvas,
  type PolygonShape,
  rasterizeInstances,
  rasterizeShape,
  rasterizeShapes,
  type Shape,
  type ShapeOp,
  type StrokeShape,
} from './shapes';
export { rasterizeStroke } from './stroke';
export {
  crop,
  flipHorizontal,
  flipVertical,
  type Padding,
  pad,
  scale,
  scaleByArea,
  translate,
} from './transform';
