import { boundingBox } from '@/lib/core/mask';
import type { Warning } from './warning';

export const touchesBorder: Warning = {
  id: 'touches-border',
  title: 'Touches the border',
  says: 'The mask reaches the edge of the picture: is all of it there, and nothing of the frame?',
  odds: 1.3,
  holds: ({ mask }) => {
    if (!mask) return false;
    const [x, y, width, height] = boundingBox(mask);
    if (width === 0) return false;
    return x === 0 || y === 0 || x + width === mask.width || y + height === mask.height;
  },
};
