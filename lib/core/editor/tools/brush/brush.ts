import { strokeTool } from '../stroke/stroke-tool';
import { defineTool } from '../tool';

export const brush = defineTool({
  id: 'brush',
  ...strokeTool({
    key: 'B',
    op: 'add',
    command: 'paint',
  }),
});
