import { followBorder } from '../outline/follow-border';
import { outlineTool } from '../outline/outline-tool';
import { defineTool } from '../tool';
import { cutEdit } from './cut';

export const polygonErase = defineTool({
  id: 'polygon-erase',
  ...outlineTool({
    name: 'Cut out',
    key: 'X',
    hint: 'Outline what does not belong: a hole, or a piece at the border. Closes like a polygon.',
    op: 'erase',
    snaps: true,
    connectFrom: followBorder,
    finish: (ring, text, context) => ({
      name: 'cut-hole',
      text,
      edits: [cutEdit(context.document, context.label, ring)],
    }),
  }),
});
