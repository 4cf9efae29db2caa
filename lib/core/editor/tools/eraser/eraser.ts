import { strokeTool } from '../stroke/stroke-tool';
import { defineTool } from '../tool';

export const eraser = defineTool({
  id: 'eraser',
  ...strokeTool({
    key: 'E',
    op: 'erase',
    command: 'erase',
  }),
});
