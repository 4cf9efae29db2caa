import { strokeTool } from '../stroke/stroke-tool';
import { defineTool } from '../tool';

export const brush = defineTool({
  id: 'brush',
  ...strokeTool({
    name: 'Brush',
    key: 'B',
    hint: 'Drag to paint; [ and ] or Shift with the wheel change the size.',
    op: 'add',
    command: 'paint',
  }),
});
