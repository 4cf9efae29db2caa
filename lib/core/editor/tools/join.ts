import {
  clockwise,
  counterClockwise,
  type Point,
  pointInRing,
  type Ring,
  signedArea,
} from '@/lib/core/geometry';
import {
  area,
  equals,
  exclusive,
  intersection,
  type Mask,
  merge,
  type PolygonShape,
  type ShapeOp,
  toRegions,
} from '@/lib/core/mask';
import { cleanRing } from '../document/clean';
import {
  type AnnotationDocument,
  type DrawnShape,
  findShape,
  type LabelLayer,
  type ShapeId,
} from '../document/document';
import type { Edit } from '../document/edits';
import { instanceLayer, instanceOf } from '../document/instances';
import { onGrid } from '../document/limits';
import { layerMask, shapeMask } from '../document/masks';
import { shapeBounds } from '../document/shape';
import { editorMessage } from '../messages';
import { selectShapes } from '../selection';
import { shapeAt } from './snap';
import { defineTool, type Outcome, type PointInput, type ToolContext } from './tool';

type JoinState = { readonly name: 'idle' } | { readonly name: 'picked'; readonly id: ShapeId };

const idle: JoinState = { name: 'idle' };

export const join = defineTool<'join', JoinState>({
  id: 'join',
  key: 'J',
  cursor: 'pointer',
  draws: false,
  press: 'click',
  idle,
  on(state, input, context) {
    if (input.type === 'down') return pick(state, input, context);
    if (input.type === 'confirm' && state.name === 'idle') return joined(context.selection.shapes, context);
    return { state };
  },
  preview: () => [],
});

function pick(state: JoinState, input: PointInput, context: ToolContext): Outcome<JoinState> {
  const hit = shapeAt(input.point, context);
  if (!hit) return { state, announce: editorMessage('noShapeHere') };
  const { id } = hit.drawn;
  if (state.name === 'picked' && state.id !== id) return joined([state.id, id], context);
  return {
    state: { name: 'picked', id },
    selection: selectShapes([id]),
    announce: editorMessage('pickOther'),
  };
}

function joined(ids: readonly ShapeId[], context: ToolContext): Outcome<JoinState> {
  const layers = new Set(ids.map((id) => findShape(context.document, id)?.layer));
  const [layer] = layers;
  if (!layer || ids.length < 2) return { state: idle, announce: editorMessage('joinTwo') };
  if (layers.size > 1) return { state: idle, announce: editorMessage('joinOneLabel') };
  const instances = new Set(
    layer.shapes.flatMap(({ id, shape }) => (ids.includes(id) ? [instanceOf(shape)] : [])),
  );
  const [instance = 1] = instances;
  if (instances.size > 1) return { state: idle, announce: editorMessage('joinOneInstance') };
  const edits = joinEdits(context.document, instanceLayer(layer, instance), ids);
  if (!edits) return { state: idle, announce: editorMessage('joinTouching') };
  return {
    state: idle,
    command: { name: 'join', message: editorMessage('joined', { count: ids.length }), edits },
    selection: selectShapes(ids),
  };
}

/** Pixels that may change per pixel of the bounds' perimeter, as crossings are put on the grid. */
const ROUNDING = 0.5;

/**
 * Makes one polygon of several shapes of a label, in the place of the last. From the vertices where that gives the
 * same pixels; otherwise, such as for brush strokes or after erasing, along the pixels that are seen of them.
 * Nothing when they do not touch.
 */
function joinEdits(
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

/** Rings as polygons: clockwise ones are outer rings, each of the others is a hole of the outer ring around it. */
export function assemblePolygons(rings: readonly Float64Array[], op: ShapeOp): PolygonShape[] {
  const holes = rings.filter((ring) => signedArea(ring) < 0);
  return rings
    .filter((ring) => signedArea(ring) > 0)
    .map((outer) => ({
      kind: 'polygon',
      op,
      outer,
      holes: holes.filter((hole) => pointInRing(hole[0] as number, hole[1] as number, outer)),
    }));
}

/**
 * The union of two polygons by their borders: cut all edges where they meet, keep the pieces outside of the other
 * polygon and, of pieces that both share, those with both areas on the same side. The caller compares pixels,
 * because rings that cross themselves have no such borders. Nothing when the pieces do not close.
 */
function unitePolygons(a: PolygonShape, b: PolygonShape): PolygonShape[] | undefined {
  const [piecesA, piecesB] = splitEdges(borderOf(a), borderOf(b));
  const namesA = new Set(piecesA.map(name));
  const namesB = new Set(piecesB.map(name));
  const kept = [
    ...piecesA.filter((edge) => {
      if (namesB.has(name(edge))) return true;
      return !namesB.has(name(turned(edge))) && !covers(b, middle(edge));
    }),
    ...piecesB.filter(
      (edge) => !namesA.has(name(edge)) && !namesA.has(name(turned(edge))) && !covers(a, middle(edge)),
    ),
  ];
  const rings = linkRings(kept);
  return rings && assemblePolygons(rings, a.op);
}

function borderOf({ outer, holes }: PolygonShape): Edge[] {
  return [...edgesOf(clockwise(outer)), ...holes.flatMap((hole) => edgesOf(counterClockwise(hole)))];
}

function linkRings(edges: readonly Edge[]): Float64Array[] | undefined {
  const leaving = new Map<string, Edge[]>();
  for (const edge of edges) {
    const list = leaving.get(key(edge.a));
    if (list) list.push(edge);
    else leaving.set(key(edge.a), [edge]);
  }
  const rings: Float64Array[] = [];
  for (const list of leaving.values())
    while (list.length > 0) {
      const points: number[] = [];
      const start = list[0] as Edge;
      for (let edge = start; ; ) {
        points.push(...edge.a);
        const used = leaving.get(key(edge.a)) as Edge[];
        used.splice(used.indexOf(edge), 1);
        if (key(edge.b) === key(start.a)) break;
        const [next] = leaving.get(key(edge.b)) ?? [];
        if (!next) return undefined;
        edge = next;
      }
      const clean = cleanRing(points);
      if (clean) rings.push(clean.ring);
    }
  return rings;
}

function covers({ outer, holes }: PolygonShape, [x, y]: Point): boolean {
  return pointInRing(x, y, outer) && !holes.some((hole) => pointInRing(x, y, hole));
}

function middle({ a, b }: Edge): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

function turned({ a, b }: Edge): Edge {
  return { a: b, b: a };
}

function key(point: Point): string {
  return `${point[0]},${point[1]}`;
}

function name({ a, b }: Edge): string {
  return `${key(a)} ${key(b)}`;
}

type Edge = { readonly a: Point; readonly b: Point };

/** A vertex this near an edge lies on it, in pixels: snapping puts points on a grid of 1/16 next to the edge. */
const ON_EDGE = 0.05;

function edgesOf(ring: Ring): Edge[] {
  const edges: Edge[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    edges.push({
      a: [ring[i] as number, ring[i + 1] as number],
      b: [ring[next] as number, ring[next + 1] as number],
    });
  }
  return edges;
}

/** Both sets of edges, cut wherever they meet, so that afterwards edges meet at their ends only. */
function splitEdges(first: readonly Edge[], second: readonly Edge[]): [Edge[], Edge[]] {
  const cutsFirst = first.map((): Point[] => []);
  const cutsSecond = second.map((): Point[] => []);
  first.forEach((e, i) => {
    second.forEach((f, j) => {
      if (!near(e, f)) return;
      const onE = [f.a, f.b].filter((point) => liesOn(point, e));
      const onF = [e.a, e.b].filter((point) => liesOn(point, f));
      cutsFirst[i]?.push(...onE);
      cutsSecond[j]?.push(...onF);
      if (onE.length > 0 || onF.length > 0) return;
      const crossing = cross(e, f);
      if (!crossing) return;
      cutsFirst[i]?.push(crossing);
      cutsSecond[j]?.push(crossing);
    });
  });
  return [
    first.flatMap((edge, i) => cutAt(edge, cutsFirst[i] ?? [])),
    second.flatMap((edge, j) => cutAt(edge, cutsSecond[j] ?? [])),
  ];
}

function near(e: Edge, f: Edge): boolean {
  for (const axis of [0, 1] as const) {
    if (Math.max(e.a[axis], e.b[axis]) + ON_EDGE < Math.min(f.a[axis], f.b[axis])) return false;
    if (Math.max(f.a[axis], f.b[axis]) + ON_EDGE < Math.min(e.a[axis], e.b[axis])) return false;
  }
  return true;
}

function liesOn([x, y]: Point, { a, b }: Edge): boolean {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const t = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(a[0] + t * dx - x, a[1] + t * dy - y) <= ON_EDGE;
}

function cross({ a, b }: Edge, { a: c, b: d }: Edge): Point | undefined {
  const side = (p: Point, q: Point, r: Point) =>
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  const sideA = side(c, d, a);
  const sideB = side(c, d, b);
  if (sideA > 0 === sideB > 0 || side(a, b, c) > 0 === side(a, b, d) > 0) return undefined;
  const t = sideA / (sideA - sideB);
  return [onGrid(a[0] + t * (b[0] - a[0])), onGrid(a[1] + t * (b[1] - a[1]))];
}

function cutAt({ a, b }: Edge, cuts: readonly Point[]): Edge[] {
  const along = ([x, y]: Point) => (x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1]);
  const stops = [a, ...[...cuts].sort((p, q) => along(p) - along(q)), b];
  const pieces: Edge[] = [];
  for (let i = 1; i < stops.length; i++) {
    const from = stops[i - 1] as Point;
    const to = stops[i] as Point;
    if (from[0] !== to[0] || from[1] !== to[1]) pieces.push({ a: from, b: to });
  }
  return pieces;
}
