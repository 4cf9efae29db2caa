import { mapPlanes } from '../../pixels/planes';
import { zoomed } from '../../pixels/zoomed';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

const ZOOMS: BySeverity<{ end: number; step: number }> = [
  { end: 1.11, step: 0.01 },
  { end: 1.16, step: 0.01 },
  { end: 1.21, step: 0.02 },
  { end: 1.26, step: 0.02 },
  { end: 1.31, step: 0.03 },
];

/** From 1 up to the end, which rounding lets in once: that is how the published pictures were made. */
export function zoomFactors(severity: number): number[] {
  const { end, step } = ofSeverity(ZOOMS, severity);
  return Array.from({ length: Math.ceil((end - 1) / step) }, (_, i) => 1 + i * step);
}

export const zoomBlur: Corruption = {
  id: 'zoom-blur',
  says: 'The camera came nearer while it looked.',
  apply(picture, severity) {
    const factors = zoomFactors(severity);
    return mapPlanes(picture, (plane) => {
      const sum = Float64Array.from(plane);
      for (const factor of factors)
        zoomed(plane, picture.width, picture.height, factor).forEach((value, i) => {
          sum[i] = (sum[i] as number) + value;
        });
      return sum.map((value) => value / (factors.length + 1));
    });
  },
};
