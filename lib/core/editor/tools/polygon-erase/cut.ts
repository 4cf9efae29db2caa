import { nearestEdge, pointInRing, type Ring } from '@/lib/core/geometry';
import { difference, equals, type PolygonShape } from '@/lib/core/mask';
import { type AnnotationDocument, type LabelLayer, layerOf } from '../../document/document';
import { applyEdits, type Edit } from '../../document/edits';
import { MAX_HOLES } from '../../document/limits';
import { layerMask, shapeMask } from '../../document/masks';

/**
 * Erases an outline from a label. Inside one polygon it becomes a hole, which then moves with the polygon;
 * everywhere else, or where a hole would not give the very same pixels, it is an erasing shape.
 */
export function cutEdit(document: AnnotationDocument, label: string, ring: Float64Array): Edit {
  const erase: PolygonShape = { kind: 'polygon', op: 'erase', outer: ring, holes: [] };
  const plain: Edit = { kind: 'insert', label, shapes: [erase] };
  const layer = layerOf(document, label);
  if (!layer) return plain;
  const wanted = difference(layerMask(document, layer), shapeMask(erase, document.height, document.width));
  for (const edit of holeEdits(layer, ring)) {
    const cut = applyEdits(document, [edit]);
    if (equals(layerMask(cut, layerOf(cut, label) as LabelLayer), wanted)) return edit;
  }
  return plain;
}

function* holeEdits(layer: LabelLayer, ring: Float64Array): Generator<Edit> {
  for (const { id, shape } of layer.shapes.toReversed()) {
    if (shape.kind !== 'polygon' || shape.op !== 'add' || shape.holes.length >= MAX_HOLES) continue;
    if (liesInside(ring, shape))
      yield { kind: 'replace', id, shapes: [{ ...shape, holes: [...shape.holes, ring] }] };
  }
}

/** By its vertices; edges that leave the polygon between them show in the pixels. */
function liesInside(ring: Ring, { outer, holes }: PolygonShape): boolean {
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i] as number;
    const y = ring[i + 1] as number;
    if (!pointInRing(x, y, outer) && !nearestEdge(x, y, outer, 0)) return false;
    if (holes.some((hole) => pointInRing(x, y, hole))) return false;
  }
  return true;
}
