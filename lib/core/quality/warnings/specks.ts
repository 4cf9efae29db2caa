import { area, components } from '@/lib/core/mask';
import type { Warning } from './warning';

/** A piece of at most 5 × 5 pixels that is no fiftieth of the mask is a slip of the hand, not a part. */
const SPECK_PIXELS = 25;
const SPECK_SHARE = 0.02;

export const specks: Warning = {
  id: 'specks',
  title: 'Specks',
  says: 'Beside the mask lie pieces of a few pixels: a click that slipped, or a selection that leaked.',
  odds: 1.8,
  holds: ({ mask }) => {
    if (!mask) return false;
    const pieces = components(mask, 8).map(area);
    const limit = Math.min(SPECK_PIXELS, SPECK_SHARE * area(mask));
    return pieces.length > 1 && pieces.some((pixels) => pixels <= limit);
  },
};
