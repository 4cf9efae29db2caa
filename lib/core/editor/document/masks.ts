import { difference, emptyMask, type Mask, rasterizeShape, type Shape, union } from '@/lib/core/mask';
import type { AnnotationDocument, LabelLayer } from './document';

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
