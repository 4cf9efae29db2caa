import { type BitmapShape, difference, encodeCounts, intersection, isEmpty, merge } from '@/lib/core/mask';
import { type AnnotationDocument, layerOf } from './document';
import { applyEdits } from './edits';
import { layerMask } from './masks';

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
