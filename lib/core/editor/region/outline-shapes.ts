import { type Mask, type PolygonShape, simplifiedRegions } from '@/lib/core/mask';
import { onGrid } from '../document/limits';

/** How much of the mask the outline may lose for having few vertices. */
const OUTLINE_LOSS = 0.01;

/** A suggested mask as polygons that can be edited, moved by whole pixels. */
export function outlineShapes(mask: Mask, left = 0, top = 0): PolygonShape[] {
  const placed = (ring: readonly number[]) =>
    Float64Array.from(ring, (value, i) => onGrid(value + (i % 2 === 0 ? left : top)));
  return simplifiedRegions(mask, OUTLINE_LOSS).map(({ outer, holes }) => ({
    kind: 'polygon',
    op: 'add',
    outer: placed(outer),
    holes: holes.map(placed),
  }));
}
