import type { Origin } from '../../document/document';
import type { Command } from '../../history';
import type { EditorMessage } from '../../messages';
import type { ToolContext } from '../tool';

/** A finished outline as a new polygon of the current label. */
export function polygonCommand(ring: Float64Array, message: EditorMessage, context: ToolContext): Command {
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
