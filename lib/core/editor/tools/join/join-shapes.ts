import {
  area,
  equals,
  exclusive,
  intersection,
  type Mask,
  merge,
  type PolygonShape,
  toRegions,
} from '@/lib/core/mask';
import type { AnnotationDocument, DrawnShape, LabelLayer, ShapeId } from '../../document/document';
import type { Edit } from '../../document/edits';
import { layerMask, shapeMask } from '../../document/masks';
import { shapeBounds } from '../../document/shape';
import { unitePolygons } from './unite-polygons';

/** Pixels that may change per pixel of the bounds' perimeter, as crossings are put on the grid. */
const ROUNDING = 0.5;

/**
 * Makes one polygon of several shapes of a label, in the place of the last. From the vertices where that gives the
 * same pixels; otherwise, such as for brush strokes or after erasing, along the pixels that are seen of them.
 * Nothing when they do not touch.
 */
export function joinEdits(
  document: AnnotationDocument,
  layer: LabelLayer,
  ids: readonly ShapeId[],
): Edit[] | undefined {
  const parts = layer.shapes.filter(({ id }) => ids.includes(id));
  const last = parts.at(-1);
  if (!last || parts.length < 2) return undefined;
  const joined = joinParts(parts, layerMask(document, layer), document);
  if (!joined) return undefined;
  return parts.map(({ id }) => ({ kind: 'replace', id, shapes: id === last.id ? [joined] : [] }));
}

function joinParts(
  parts: readonly DrawnShape[],
  seen: Mask,
  { height, width }: AnnotationDocument,
): PolygonShape | undefined {
  const all = merge(parts.map(({ shape }) => shapeMask(shape, height, width)));
  const visible = intersection(all, seen);
  const byVertices = equals(visible, all) ? uniteAll(parts) : undefined;
  if (byVertices) {
    const [, , boxWidth, boxHeight] = shapeBounds(byVertices);
    const changed = area(exclusive(shapeMask(byVertices, height, width), visible));
    if (changed <= ROUNDING * 2 * (boxWidth + boxHeight)) return byVertices;
  }
  const [region, ...more] = toRegions(visible);
  if (!region || more.length > 0) return undefined;
  return { kind: 'polygon', op: 'add', outer: region.outer, holes: region.holes };
}

function uniteAll(parts: readonly DrawnShape[]): PolygonShape | undefined {
  const polygons = parts.flatMap(({ shape }) => (shape.kind === 'polygon' ? [shape] : []));
  if (polygons.length < parts.length) return undefined;
  return polygons.reduce((joined: PolygonShape | undefined, next) => {
    const pieces = joined && unitePolygons(joined, next);
    return pieces?.length === 1 ? pieces[0] : undefined;
  }, polygons.shift());
}
