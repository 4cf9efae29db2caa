import { area, DEFAULT_SIZE_AWARE_RULE, dilate, intersectionArea } from '@/lib/core/mask';
import type { Warning } from './warning';

/** Either outline may be off by what a careful hand is forgiven. */
const ROOM = 2 * DEFAULT_SIZE_AWARE_RULE.tolerance;

/** What two careful outlines of the same border still differ by. */
const OUTSIDE_SHARE = 0.15;

export const partOutsideObject: Warning = {
  id: 'part-outside-object',
  title: 'Part outside the object',
  says: 'More than 15 % of the part lies outside of the object’s own mask: one of the two is wrong.',
  odds: 3,
  holds: ({ stageKind, mask, object }) => {
    if (stageKind !== 'part-mask' || !mask || !object) return false;
    return 1 - intersectionArea(mask, dilate(object, ROOM)) / Math.max(1, area(mask)) > OUTSIDE_SHARE;
  },
};
