import {
  type BitmapShape,
  difference,
  emptyMask,
  encodeCounts,
  intersection,
  isEmpty,
  type Mask,
  merge,
  rasterizeShape,
  type Shape,
  union,
} from '@/lib/core/mask';
import { type AnnotationDocument, type LabelLayer, layerOf } from './document';
import { applyEdits } from './edits';

const shapeMasks = new WeakMap<Shape, Mask>();
const layerMasks = new WeakMap<LabelLayer['shapes'], Mask>();

/** The mask of one label. Remembered per list of shapes, and per shape, so that an edit costs what it changes. */
export function layerMask(document: AnnotationDocument, layer: LabelLayer): Mask {
  const known = layerMasks.get(layer.shapes);
  if (known && known.height === document.height && known.width === document.width) return known;
  let mask = emptyMask(document.height, document.width);
  for (const { shape } of layer.shapes) {
    const one = shapeMask(shape, document.height, document.width);
    mask = shape.op === 'erase' ? difference(mask, one) : union(mask, one);
  }
  layerMasks.set(layer.shapes, mask);
  return mask;
}

export function shapeMask(shape: Shape, height: number, width: number): Mask {
  const known = shapeMasks.get(shape);
  if (known && known.height === height && known.width === width) return known;
  const mask = rasterizeShape(shape, height, width);
  shapeMasks.set(shape, mask);
  return mask;
}

/**
 * The "subtract other parts" rule: pixels that an edit newly gives to a label although another label has them
 * stay with the other. They are erased by a bitmap behind the new shapes, so that the result is exact to the
 * pixel and the drawn outline stays as it was drawn. Older overlaps are left alone.
 */
export function subtractOthers(before: AnnotationDocument, after: AnnotationDocument): AnnotationDocument {
  return after.layers.reduce((document, layer) => {
    const previous = layerOf(before, layer.label);
    if (!previous || previous.shapes === layer.shapes || layer.shapes.length === 0) return document;
    const others = document.layers
      .filter((other) => other.label !== layer.label && other.shapes.length > 0)
      .map((other) => layerMask(document, other));
    if (others.length === 0) return document;
    const gained = difference(layerMask(document, layer), layerMask(before, previous));
    const taken = intersection(gained, merge(others));
    if (isEmpty(taken)) return document;
    const erase: BitmapShape = {
      kind: 'bitmap',
      op: 'erase',
      size: [document.height, document.width],
      counts: encodeCounts(taken),
    };
    return applyEdits(document, [{ kind: 'insert', label: layer.label, shapes: [erase] }]);
  }, after);
}
