import { Livewire } from '../../livewire/livewire';
import { originOf } from '../accept-suggestion';
import { outlineTool } from '../outline/outline-tool';
import { suggestedPolygonCommand } from '../outline/polygon-command';
import { defineTool } from '../tool';

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
