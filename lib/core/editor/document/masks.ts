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
import { instanceLayer, instancesOf } from './instances';

const shapeMasks = new WeakMap<Shape, Mask>();
const layerMasks = new WeakMap<LabelLayer['shapes'], Mask>();

/**
 * The mask of one label: the union of its instances. Remembered per list of shapes, and per shape, so that an edit
 * costs what it changes.
 */
export function layerMask(document: AnnotationDocument, layer: LabelLayer): Mask {
  const known = layerMasks.get(layer.shapes);
  if (known && known.height === document.height && known.width === document.width) return known;
  const masks = instancesOf(layer).map((instance) => replay(document, instanceLayer(layer, instance).shapes));
  const [first = emptyMask(document.height, document.width), ...others] = masks;
  const mask = others.reduce(union, first);
  layerMasks.set(layer.shapes, mask);
  return mask;
}

/** The mask of one instance of a label. */
export function instanceMask(document: AnnotationDocument, layer: LabelLayer, instance: number): Mask {
  return layerMask(document, instanceLayer(layer, instance));
}

function replay({ height, width }: AnnotationDocument, shapes: LabelLayer['shapes']): Mask {
  let mask = emptyMask(height, width);
  for (const { shape } of shapes) {
    const one = shapeMask(shape, height, width);
    mask = shape.op === 'erase' ? difference(mask, one) : union(mask, one);
  }
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
 * The "subtract other parts" rule: pixels that an edit newly gives to an instance of a label although another label
 * or another instance has them stay with the other. They are erased by a bitmap behind the new shapes, so that the
 * result is exact to the pixel and the drawn outline stays as it was drawn. Older overlaps are left alone, and so are
 * those of a part with its own sub-parts: `wholes` has the label of the part by that of the sub-part.
 */
export function subtractOthers(
  before: AnnotationDocument,
  after: AnnotationDocument,
  wholes: ReadonlyMap<string, string> = new Map(),
): AnnotationDocument {
  return after.layers.reduce((document, layer) => {
    const previous = layerOf(before, layer.label);
    if (!previous || previous.shapes === layer.shapes || layer.shapes.length === 0) return document;
    return instancesOf(layer).reduce(
      (now, instance) => subtractFromInstance(now, { layer, previous, instance, wholes }),
      document,
    );
  }, after);
}

interface ChangedInstance {
  layer: LabelLayer;
  previous: LabelLayer;
  instance: number;
  wholes: ReadonlyMap<string, string>;
}

function subtractFromInstance(
  document: AnnotationDocument,
  { layer, previous, instance, wholes }: ChangedInstance,
): AnnotationDocument {
  const gained = difference(
    instanceMask(document, layer, instance),
    instanceMask(document, previous, instance),
  );
  if (isEmpty(gained)) return document;
  const isNested = (label: string) => wholes.get(label) === layer.label || wholes.get(layer.label) === label;
  const otherLabels = document.layers
    .filter(({ label, shapes }) => label !== layer.label && shapes.length > 0 && !isNested(label))
    .map((other) => layerMask(document, other));
  const current = layerOf(document, layer.label) ?? layer;
  const otherInstances = instancesOf(current)
    .filter((other) => other !== instance)
    .map((other) => instanceMask(document, current, other));
  const others = [...otherLabels, ...otherInstances];
  if (others.length === 0) return document;
  const taken = intersection(gained, merge(others));
  if (isEmpty(taken)) return document;
  const erase: BitmapShape = {
    kind: 'bitmap',
    op: 'erase',
    instance,
    size: [document.height, document.width],
    counts: encodeCounts(taken),
  };
  return applyEdits(document, [{ kind: 'insert', label: layer.label, shapes: [erase] }]);
}
