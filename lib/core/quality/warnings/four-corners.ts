import type { Warning } from './warning';

const CORNERS = 4;

export const fourCorners: Warning = {
  id: 'four-corners',
  title: 'Four corners',
  says: 'The outline has no more than four corners: a box around it, not its border?',
  odds: 2.5,
  holds: ({ shapes }) =>
    shapes.length > 0 &&
    shapes.every(
      (shape) => shape.kind === 'polygon' && shape.op === 'add' && shape.outer.length <= 2 * CORNERS,
    ),
};
