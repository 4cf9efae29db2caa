import { mapPlanes } from '../../pixels/planes';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

const SCALE: BySeverity<number> = [0.6, 0.5, 0.4, 0.3, 0.25];

/** How many cells are left of a side. */
export const pixelatedSide = (side: number, severity: number): number =>
  Math.max(1, Math.floor(side * ofSeverity(SCALE, severity)));

export const pixelate: Corruption = {
  id: 'pixelate',
  says: 'Few, large pixels: made smaller and large again, by means of boxes.',
  apply(picture, severity) {
    const { width, height } = picture;
    const across = boxes(width, pixelatedSide(width, severity));
    const down = boxes(height, pixelatedSide(height, severity));
    const cells = across.count;
    return mapPlanes(picture, (plane) => {
      const sums = new Float64Array(cells * down.count);
      const sizes = new Float64Array(cells * down.count);
      plane.forEach((value, i) => {
        const x = i % width;
        const cell = (down.of[(i - x) / width] as number) * cells + (across.of[x] as number);
        sums[cell] = (sums[cell] as number) + value;
        sizes[cell] = (sizes[cell] as number) + 1;
      });
      return Float64Array.from(plane, (_, i) => {
        const x = i % width;
        const cell = (down.of[(i - x) / width] as number) * cells + (across.of[x] as number);
        return (sums[cell] as number) / (sizes[cell] as number);
      });
    });
  },
};

/** In which of `count` equal boxes the centre of each pixel of a side lies; none is empty, as boxes are not smaller. */
const boxes = (side: number, count: number): { count: number; of: Int32Array } => ({
  count,
  of: Int32Array.from({ length: side }, (_, i) => Math.floor(((i + 0.5) * count) / side)),
});
