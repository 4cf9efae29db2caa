import { followBorder } from '../outline/follow-border';
import { outlineTool } from '../outline/outline-tool';
import { polygonCommand } from '../outline/polygon-command';
import { defineTool } from '../tool';

export const polygon = defineTool({
  id: 'polygon',
  ...outlineTool({
    name: 'Polygon',
    key: 'P',
    hint: 'Click for a vertex or drag to draw freehand; Enter, a double click or the first vertex closes.',
    op: 'add',
    snaps: true,
    connectFrom: followBorder,
    finish: polygonCommand,
  }),
});
