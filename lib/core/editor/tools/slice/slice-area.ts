import type { Point } from '@/lib/core/geometry';
import {
  components,
  difference,
  dilate,
  emptyMask,
  intersection,
  isEmpty,
  type Mask,
  merge,
  type PolygonShape,
  rasterizeStroke,
  toRegions,
  union,
} from '@/lib/core/mask';
import type { AnnotationDocument, DrawnShape, LabelLayer } from '../../document/document';
import type { Edit } from '../../document/edits';
import { layerMask, shapeMask } from '../../document/masks';

/** Half the width of the cut while the sides are told apart, in pixels: no step between neighbours passes it. */
const BARRIER = 1;

export type SlicedArea = { readonly edits: readonly Edit[]; readonly pieces: number };

/**
 * Cuts what is seen of shapes along a segment, pixel by pixel, whatever they were drawn with. The shapes whose
 * area is parted become polygons along their pixels, in the place of the last of them; no pixel of the label
 * changes. Nothing when no piece comes off.
 */
export function sliceArea(
  document: AnnotationDocument,
  layer: LabelLayer,
  shapes: readonly DrawnShape[],
  from: Point,
  to: Point,
): SlicedArea | undefined {
  const { height, width } = document;
  const maskOf = ({ shape }: DrawnShape) => shapeMask(shape, height, width);
  const seenOf = (some: readonly DrawnShape[]) =>
    some.length === 0
      ? emptyMask(height, width)
      : intersection(merge(some.map(maskOf)), layerMask(document, layer));
  const barrier = rasterizeStroke([...from, ...to], BARRIER, height, width);
  const cuts = components(seenOf(shapes), 4).flatMap((part) => {
    const sides = sidesOf(part, barrier);
    return sides.length > 1 ? [{ part, sides }] : [];
  });
  if (cuts.length === 0) return undefined;
  const parted = merge(cuts.map(({ part }) => part));
  const used = shapes.filter((drawn) => !isEmpty(intersection(maskOf(drawn), parted)));
  const rest = difference(seenOf(used), parted);
  const pieces = [...cuts.flatMap(({ sides }) => sides), rest].flatMap(polygonsOf);
  const last = used.at(-1)?.id;
  return {
    edits: used.map(({ id }) => ({ kind: 'replace', id, shapes: id === last ? pieces : [] })),
    pieces: cuts.reduce((sum, { sides }) => sum + sides.length, 0),
  };
}

/** What falls apart when the barrier is taken out, each with the pixels of the barrier that are next to it. */
function sidesOf(part: Mask, barrier: Mask): Mask[] {
  const cut = intersection(part, barrier);
  if (isEmpty(cut)) return [part];
  const pieces = components(difference(part, cut), 4);
  let left = cut;
  const sides = pieces.map((piece) => {
    const near = intersection(dilate(piece, BARRIER), left);
    left = difference(left, near);
    return union(piece, near);
  });
  const [first, ...others] = sides;
  return first ? [union(first, left), ...others] : [part];
}

function polygonsOf(mask: Mask): PolygonShape[] {
  return toRegions(mask).map(({ outer, holes }) => ({ kind: 'polygon', op: 'add', outer, holes }));
}
