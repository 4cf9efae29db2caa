import { regionArea } from '../../region';
import { cellsOf } from '../cells-of';
import { scaledTo } from './affine';
import { type EditOptions, movingEdit, type Placing } from './moving-edit';

/** Shares of the picture; "full": the box of the object fills the frame. */
export const SIZES = ['full', 0.1, 0.08, 0.05] as const;

/** How much larger an object must become to cover another share of the picture. */
export const scaleFor = (rate: number, target: number): number => Math.sqrt(target / rate);

/** Near enough in the words of ImageNet-E's tools: the same whole percent, or 1.5 points off at most. */
export const isNearRate = (rate: number, target: number): boolean =>
  Math.floor(100 * rate) === Math.round(100 * target) || Math.abs(rate - target) <= 0.015;

/** The object larger or smaller, about the centre of its box; "full" in the middle of the frame. */
export const sizeEdit = (levels: readonly (number | 'full')[] = SIZES, options?: EditOptions) =>
  movingEdit(
    {
      id: 'edit.size',
      says: 'The object is scaled to a share of the picture.',
      cells: cellsOf(levels),
      refusesTruncated: false,
      place({ region, width, height, box }, level): Placing {
        const centre = [box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2] as const;
        const middle = [(width - 1) / 2, (height - 1) / 2] as const;
        const rate = regionArea(region) / region.length;
        const most = Math.min(width / box.width, height / box.height);
        if (level === 'full')
          return { movement: scaledTo(most, centre, middle), extra: { scale: most, before: rate } };
        const target = Number(level);
        const scale = Math.min(scaleFor(rate, target), most);
        return {
          movement: scaledTo(scale, centre, centre),
          extra: {
            scale,
            before: rate,
            wasNear: Number(isNearRate(rate, target)),
            // A long object fills the frame before it covers as much of it as was asked for.
            isClamped: Number(scale < scaleFor(rate, target)),
          },
        };
      },
    },
    options,
  );
