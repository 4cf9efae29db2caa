import { followBorder } from '../outline/follow-border';
import { outlineTool } from '../outline/outline-tool';
import { defineTool } from '../tool';
import { cutEdit } from './cut';

export const polygonErase = defineTool({
  id: 'polygon-erase',
  ...outlineTool({
    id: 'polygon-erase',
    key: 'X',
    op: 'erase',
    snaps: true,
    connectFrom: followBorder,
    finish: (ring, message, context) => ({
      name: 'cut-hole',
      message,
      edits: [cutEdit(context.document, context.label, ring)],
    }),
  }),
});
