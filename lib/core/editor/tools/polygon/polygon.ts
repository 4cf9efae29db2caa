import { followBorder } from '../outline/follow-border';
import { outlineTool } from '../outline/outline-tool';
import { polygonCommand } from '../outline/polygon-command';
import { defineTool } from '../tool';

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
