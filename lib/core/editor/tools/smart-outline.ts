import type { Shape } from '@/lib/core/mask';
import type { Origin } from '../document/document';
import type { Command } from '../history';
import { Livewire } from '../livewire/livewire';
import { editorMessage } from '../messages';
import { outlineTool } from './outline';
import { suggestedPolygonCommand } from './polygon';
import { defineTool } from './tool';

/** The most that an answer can tell, in ms; a tab may have been left open for longer. */
const MOST_MS = 2_147_483_647;

/** How a suggestion came about, in whole milliseconds. */
function originOf({ shownMs, latencyMs, ...use }: Omit<Origin, 'edited'>): Origin {
  return { ...use, shownMs: whole(shownMs), latencyMs: whole(latencyMs), edited: false };
}

/** A suggestion becomes part of the drawing, as one entry of the history. */
export function acceptSuggestion(
  label: string,
  shapes: readonly Shape[],
  use: Omit<Origin, 'edited'>,
): Command {
  return {
    name: 'accept-suggestion',
    message: editorMessage('suggestionAccepted'),
    edits: [{ kind: 'insert', label, shapes, origin: originOf(use) }],
  };
}

function whole(ms: number): number {
  return Math.min(MOST_MS, Math.max(0, Math.round(ms)));
}

/** The polygon tool with a livewire between the clicks; straight until the edges of the image are known. */
export const smartOutline = defineTool({
  id: 'smart-outline',
  ...outlineTool({
    id: 'smart-outline',
    key: 'W',
    op: 'add',
    snaps: true,
    connectFrom: (from, { edges }) => {
      if (!edges) return (to) => Float64Array.from(to);
      const wire = new Livewire(edges, from);
      return (to) => wire.pathTo(to);
    },
    finish: (ring, message, context, { presses, ms }) => {
      const origin = originOf({ kind: 'livewire', model: null, clicks: presses, shownMs: 0, latencyMs: ms });
      return suggestedPolygonCommand(ring, message, context, context.edges && origin);
    },
  }),
});
