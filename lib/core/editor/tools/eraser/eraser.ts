import { strokeTool } from '../stroke/stroke-tool';
import { defineTool } from '../tool';

export const eraser = defineTool({
  id: 'eraser',
  ...strokeTool({
    name: 'Eraser',
    key: 'E',
    hint: 'Drag to erase from the current label; [ and ] or Shift with the wheel change the size.',
    op: 'erase',
    command: 'erase',
  }),
});
