import { area } from '@/lib/core/mask';
import type { Warning } from './warning';

/** 8 × 8 pixels: below this, two pixels of a careful hand's error are half of the mask. */
const TINY_PIXELS = 64;

export const tiny: Warning = {
  id: 'tiny',
  title: 'Tiny',
  says: 'The mask has fewer than 64 pixels: is it the part, or a click?',
  odds: 2,
  holds: ({ mask }) => mask !== null && area(mask) < TINY_PIXELS,
};
