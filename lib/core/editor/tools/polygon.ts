import { nearestEdge, type Point, pointInRing, type Ring } from '@/lib/core/geometry';
import { difference, equals, type PolygonShape } from '@/lib/core/mask';
import { type LabelLayer, layerOf, type Origin } from '../document/document';
import { applyEdits, type Edit } from '../document/edits';
import { MAX_HOLES } from '../document/limits';
import { instanceMask, layerMask, shapeMask } from '../document/masks';
import type { Command } from '../history';
import type { EditorMessage } from '../messages';
import { type Connect, outlineTool } from './outline';
import { traceBetween } from './snap';
import { defineTool, drawnLayer, type ToolContext } from './tool';

/** Straight, or along a neighbour's border while the key for it is held; Shift goes the longer way round. */
function followBorder(from: Point): Connect {
  return (to, longer, context) => {
    const traced = context.tracing && traceBetween(from, to, longer ? 'longer' : 'shorter', context);
    return traced || Float64Array.from(to);
  };
}

/** A finished outline as a new polygon of the current label. */
function polygonCommand(ring: Float64Array, message: EditorMessage, context: ToolContext): Command {
  return suggestedPolygonCommand(ring, message, context, undefined);
}

/** The same, of an outline that an assist helped to draw. */
export function suggestedPolygonCommand(
  ring: Float64Array,
  message: EditorMessage,
  { label }: ToolContext,
  origin: Origin | undefined,
): Command {
  const shape = { kind: 'polygon', op: 'add', outer: ring, holes: [] } as const;
  const edit = { kind: 'insert', label, shapes: [shape], ...(origin && { origin }) } as const;
  return { name: 'draw-polygon', message, edits: [edit] };
}

export const polygon = defineTool({
  id: 'polygon',
  ...outlineTool({
    id: 'polygon',
    key: 'P',
    op: 'add',
    snaps: true,
    connectFrom: followBorder,
    finish: polygonCommand,
  }),
});

/**
 * Erases an outline from the current instance. Inside one polygon it becomes a hole, which then moves with the polygon;
 * everywhere else, or where a hole would not give the very same pixels, it is an erasing shape.
 */
function cutEdit(context: ToolContext, ring: Float64Array): Edit {
  const { document, label, instance } = context;
  const erase: PolygonShape = { kind: 'polygon', op: 'erase', outer: ring, holes: [] };
  const plain: Edit = { kind: 'insert', label, shapes: [erase] };
  const layer = drawnLayer(context);
  if (!layer) return plain;
  const wanted = difference(layerMask(document, layer), shapeMask(erase, document.height, document.width));
  for (const edit of holeEdits(layer, ring)) {
    const cut = applyEdits(document, [edit]);
    if (equals(instanceMask(cut, layerOf(cut, label) as LabelLayer, instance), wanted)) return edit;
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

export const polygonErase = defineTool({
  id: 'polygon-erase',
  ...outlineTool({
    id: 'polygon-erase',
    key: 'X',
    op: 'erase',
    snaps: true,
    connectFrom: followBorder,
    finish: (ring, message, context) => ({
      name: 'cut-hole',
      message,
      edits: [cutEdit(context, ring)],
    }),
  }),
});
