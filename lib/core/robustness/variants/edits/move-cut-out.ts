import { blurredPicture } from '../../pixels/gaussian-blur';
import { warped } from '../../pixels/warped';
import type { Region } from '../../region';
import { type Affine, applied, inverted, isUnmoved, stretchOf } from './affine';
import type { CutOut } from './cut-out';

/** A region after a movement, by the nearest pixel. */
export function movedRegion(region: Region, width: number, movement: Affine): Region {
  const height = region.length / width;
  const back = inverted(movement);
  return region.map((_, i) => {
    const x = i % width;
    const [fromX, fromY] = applied(back, x, (i - x) / width).map((at) => Math.floor(at + 0.5)) as [
      number,
      number,
    ];
    const isWithin = fromX >= 0 && fromY >= 0 && fromX < width && fromY < height;
    return isWithin ? (region[fromY * width + fromX] as number) : 0;
  });
}

/** Share of a region that is still in the frame after a movement. */
export function keptShare(region: Region, width: number, movement: Affine): number {
  const height = region.length / width;
  let [kept, area] = [0, 0];
  region.forEach((pixel, i) => {
    if (!pixel) return;
    area += 1;
    const x = i % width;
    const [toX, toY] = applied(movement, x, (i - x) / width);
    if (toX >= -0.5 && toY >= -0.5 && toX < width - 0.5 && toY < height - 0.5) kept += 1;
  });
  return area === 0 ? 0 : kept / area;
}

/** A cut-out after a movement. What becomes smaller is blurred first, or it would flicker. */
export function movedCutOut({ colours, region }: CutOut, movement: Affine): CutOut {
  if (isUnmoved(movement)) return { colours, region };
  const stretch = stretchOf(movement);
  const smooth = stretch < 1 ? blurredPicture(colours, 0.5 * Math.sqrt(1 / stretch ** 2 - 1)) : colours;
  const { a, b, c, d, e, f } = inverted(movement);
  return {
    region: movedRegion(region, colours.width, movement),
    colours: warped(smooth, (place) => {
      const { x, y } = place;
      place.x = a * x + b * y + e;
      place.y = c * x + d * y + f;
    }),
  };
}
