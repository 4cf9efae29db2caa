import type { Command } from '../../history';
import type { ToolContext } from '../tool';

/** A finished outline as a new polygon of the current label. */
export function polygonCommand(ring: Float64Array, text: string, context: ToolContext): Command {
  const shape = { kind: 'polygon', op: 'add', outer: ring, holes: [] } as const;
  return { name: 'draw-polygon', text, edits: [{ kind: 'insert', label: context.label, shapes: [shape] }] };
}
