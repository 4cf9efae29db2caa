import { cleanRing } from '../../document/clean';
import type { CommandName } from '../../history';
import { editorMessage, toolName } from '../../messages';
import type { Outcome, ToolContext } from '../tool';

/** A computed ring as a new polygon of the current label. */
export function ringOutcome(
  name: CommandName,
  tool: string,
  ring: ArrayLike<number>,
  context: ToolContext,
): Omit<Outcome, 'state'> {
  const clean = cleanRing(ring);
  if (!clean) return { announce: editorMessage('tooSmall') };
  return {
    command: {
      name,
      message: editorMessage('drawn', { tool: toolName(tool), count: clean.ring.length / 2 }),
      edits: [
        {
          kind: 'insert',
          label: context.label,
          shapes: [{ kind: 'polygon', op: 'add', outer: clean.ring, holes: [] }],
        },
      ],
    },
  };
}

/** The second corner moved so that width and height are equal. */
export function evenCorner(
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
): readonly [number, number] {
  const side = Math.max(Math.abs(bx - ax), Math.abs(by - ay));
  return [ax + (bx < ax ? -side : side), ay + (by < ay ? -side : side)];
}
