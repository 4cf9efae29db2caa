import { clockwise, counterClockwise, type Point, type Ring } from '@/lib/core/geometry';
import {
  area,
  components,
  difference,
  dilate,
  emptyMask,
  exclusive,
  intersection,
  isEmpty,
  type Mask,
  merge,
  type PolygonShape,
  rasterizeStroke,
  toRegions,
  union,
} from '@/lib/core/mask';
import { cleanRing } from '../document/clean';
import type { AnnotationDocument, DrawnShape, LabelLayer } from '../document/document';
import type { Edit } from '../document/edits';
import { onGrid } from '../document/limits';
import { layerMask, shapeMask } from '../document/masks';
import { boxesMeet, shapeBounds } from '../document/shape';
import { editorMessage } from '../messages';
import { isSelected } from '../selection';
import { assemblePolygons } from './join';
import { boxBetween } from './snap';
import { defineTool, drawnLayer, type Outcome, type ToolContext } from './tool';
import { twoPointTool } from './two-point';

/** Pixels that may change sides per pixel of the bounds' perimeter, as the cut's ends are put on the grid. */
const ROUNDING = 0.5;

export const slice = defineTool({
  id: 'slice',
  ...twoPointTool({
    key: 'K',
    preview: (from, to) => ({ kind: 'line', from, to }),
    finish: (from, to, _even, context) => sliceAll(from, to, context),
  }),
});

/**
 * Cuts the selected shapes of the current instance, or all of them when none is selected: by their vertices where all
 * that the line crosses are polygons, else along the pixels.
 */
function sliceAll(from: Point, to: Point, context: ToolContext): Omit<Outcome, 'state'> {
  const layer = drawnLayer(context);
  const added = layer?.shapes.filter(({ shape }) => shape.op === 'add') ?? [];
  const selected = added.filter(({ id }) => isSelected(context.selection, id));
  const shapes = selected.length > 0 ? selected : added;
  const crossed = shapes.filter(({ shape }) => boxesMeet(shapeBounds(shape), boxBetween(from, to)));
  const sliced =
    (crossed.every(({ shape }) => shape.kind === 'polygon') && slicePolygons(crossed, from, to, context)) ||
    (layer && sliceArea(context.document, layer, shapes, from, to));
  if (!sliced) return { announce: editorMessage('sliceAcross') };
  const { edits, pieces } = sliced;
  return { command: { name: 'slice', message: editorMessage('sliced', { count: pieces }), edits } };
}

function slicePolygons(
  shapes: readonly DrawnShape[],
  from: Point,
  to: Point,
  context: ToolContext,
): SlicedArea | undefined {
  const edits = shapes.flatMap((drawn) => {
    const pieces = cut(drawn, from, to, context);
    return pieces ? [{ kind: 'replace', id: drawn.id, shapes: pieces } as const] : [];
  });
  const pieces = edits.reduce((sum, edit) => sum + edit.shapes.length, 0);
  return pieces > 0 ? { edits, pieces } : undefined;
}

function cut(
  { shape }: DrawnShape,
  from: Point,
  to: Point,
  { document }: ToolContext,
): PolygonShape[] | undefined {
  if (shape.kind !== 'polygon') return undefined;
  const pieces = slicePolygon(shape, from, to);
  if (!pieces) return undefined;
  const mask = (one: PolygonShape) => shapeMask(one, document.height, document.width);
  // A ring that crosses itself has no two sides; its pieces would not cover what it covered.
  const changed = area(exclusive(mask(shape), merge(pieces.map(mask))));
  const [, , width, height] = shapeBounds(shape);
  return changed <= ROUNDING * 2 * (width + height) ? pieces : undefined;
}

/** Half the width of the cut while the sides are told apart, in pixels: no step between neighbours passes it. */
const BARRIER = 1;

type SlicedArea = { readonly edits: readonly Edit[]; readonly pieces: number };

/**
 * Cuts what is seen of shapes along a segment, pixel by pixel, whatever they were drawn with. The shapes whose
 * area is parted become polygons along their pixels, in the place of the last of them; no pixel of the label
 * changes. Nothing when no piece comes off.
 */
function sliceArea(
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

type Node = { readonly x: number; readonly y: number; next: Node };
type Crossing = { readonly node: Node; readonly along: number };

/**
 * Cuts a polygon along a segment wherever the segment passes through it from border to border. Rings become
 * linked lists with a node at each crossing; along the segment, crossings alternate between entering and leaving,
 * and swapping the successors of such a pair closes both sides along the cut. Nothing when no piece comes off.
 */
function slicePolygon(shape: PolygonShape, from: Point, to: Point): PolygonShape[] | undefined {
  const nodes: Node[] = [];
  const crossings: Crossing[] = [];
  linkRing(clockwise(shape.outer), from, to, nodes, crossings);
  for (const hole of shape.holes) linkRing(counterClockwise(hole), from, to, nodes, crossings);
  crossings.sort((a, b) => a.along - b.along);
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const enter = crossings[i] as Crossing;
    const leave = crossings[i + 1] as Crossing;
    // A cut that starts or ends inside of the polygon would leave a slit, not two sides.
    if (enter.along < 0 || leave.along > 1) continue;
    bridge(enter.node, leave.node, nodes);
  }
  const pieces = assemblePolygons(walkRings(nodes), shape.op);
  return pieces.length > 1 ? pieces : undefined;
}

/** Crossings are counted on the whole line, so that entering and leaving stay paired beyond the segment's ends. */
function linkRing(ring: Ring, from: Point, to: Point, nodes: Node[], crossings: Crossing[]): void {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const side = (x: number, y: number) => dx * (y - from[1]) - dy * (x - from[0]);
  let first: Node | undefined;
  let last: Node | undefined;
  const append = (x: number, y: number): Node => {
    const node = { x, y } as Node;
    if (last) last.next = node;
    first ??= node;
    node.next = first;
    last = node;
    nodes.push(node);
    return node;
  };
  for (let i = 0; i < ring.length; i += 2) {
    const [ax, ay] = [ring[i] as number, ring[i + 1] as number];
    const bx = ring[(i + 2) % ring.length] as number;
    const by = ring[(i + 3) % ring.length] as number;
    append(ax, ay);
    const sideA = side(ax, ay);
    const sideB = side(bx, by);
    // A vertex on the line counts as being to one side of it: every crossing is then counted once.
    if (sideA >= 0 === sideB >= 0) continue;
    const t = sideA / (sideA - sideB);
    const [x, y] = [ax + t * (bx - ax), ay + t * (by - ay)];
    const along = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy);
    crossings.push({ node: append(onGrid(x), onGrid(y)), along });
  }
}

function bridge(a: Node, b: Node, nodes: Node[]): void {
  const afterA: Node = { x: a.x, y: a.y, next: a.next };
  const afterB: Node = { x: b.x, y: b.y, next: b.next };
  a.next = afterB;
  b.next = afterA;
  nodes.push(afterA, afterB);
}

function walkRings(nodes: readonly Node[]): Float64Array[] {
  const seen = new Set<Node>();
  const rings: Float64Array[] = [];
  for (const start of nodes) {
    const points: number[] = [];
    for (let node = start; !seen.has(node); node = node.next) {
      seen.add(node);
      points.push(node.x, node.y);
    }
    const clean = cleanRing(points);
    if (clean) rings.push(clean.ring);
  }
  return rings;
}
