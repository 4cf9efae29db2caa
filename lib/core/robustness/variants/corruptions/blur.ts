import { CHANNELS, mapPlanes, type Picture, planeOf } from '../../picture';
import { blurredPicture, diskBlur, gaussianBlur, motionBlur } from '../../pixels/blur';
import { zoomPlane } from '../../pixels/resample';
import type { Rng } from '../../random';
import { type BySeverity, type Corruption, ofSeverity, sizeScale } from './corruption';

const DISKS: BySeverity<{ radius: number; alias: number }> = [
  { radius: 3, alias: 0.1 },
  { radius: 4, alias: 0.5 },
  { radius: 6, alias: 0.5 },
  { radius: 8, alias: 0.5 },
  { radius: 10, alias: 0.5 },
];

export const defocusBlur: Corruption = {
  id: 'defocus-blur',
  description: 'Out of focus.',
  apply(picture, severity) {
    const { radius, alias } = ofSeverity(DISKS, severity);
    const { width, height } = picture;
    const scale = sizeScale(picture);
    return mapPlanes(picture, (plane) =>
      gaussianBlur(diskBlur(plane, width, height, radius * scale), width, height, alias * scale),
    );
  },
};

const GLASS: BySeverity<{ sigma: number; shift: number; rounds: number }> = [
  { sigma: 0.7, shift: 1, rounds: 2 },
  { sigma: 0.9, shift: 2, rounds: 1 },
  { sigma: 1, shift: 2, rounds: 3 },
  { sigma: 1.1, shift: 3, rounds: 2 },
  { sigma: 1.5, shift: 4, rounds: 2 },
];

export const glassBlur: Corruption = {
  id: 'glass-blur',
  description: 'Through frosted glass: near pixels trade places between two blurs.',
  apply(picture, severity, rng) {
    const { sigma, shift, rounds } = ofSeverity(GLASS, severity);
    const scale = sizeScale(picture);
    const blurred = blurredPicture(picture, sigma * scale);
    const reach = Math.max(1, Math.round(shift * scale));
    // A shift of less than a pixel is one of a pixel for fewer of them.
    const share = Math.min(1, (shift * scale) / reach);
    for (let round = 0; round < rounds; round++) trade(blurred, reach, share, rng);
    return blurredPicture(blurred, sigma * scale);
  },
};

/** A share of the pixels with one at most `reach` away, from the last to the first, all colours together. */
function trade(picture: Picture, reach: number, share: number, rng: Rng): void {
  const { width, height } = picture;
  const planes = Array.from({ length: CHANNELS }, (_, channel) => planeOf(picture, channel));
  for (let y = height - reach; y > reach; y--)
    for (let x = width - reach; x > reach; x--) {
      if (rng.unit() >= share) continue;
      const dx = rng.below(2 * reach) - reach;
      const dy = rng.below(2 * reach) - reach;
      const [here, there] = [y * width + x, (y + dy) * width + x + dx];
      for (const plane of planes)
        [plane[here], plane[there]] = [plane[there] as number, plane[here] as number];
    }
}

const MOTIONS: BySeverity<{ radius: number; sigma: number }> = [
  { radius: 10, sigma: 3 },
  { radius: 15, sigma: 5 },
  { radius: 15, sigma: 8 },
  { radius: 15, sigma: 12 },
  { radius: 20, sigma: 15 },
];
const STEEPEST = 45;

export const motion: Corruption = {
  id: 'motion-blur',
  description: 'The camera moved.',
  apply(picture, severity, rng) {
    const { radius, sigma } = ofSeverity(MOTIONS, severity);
    const scale = sizeScale(picture);
    const degrees = STEEPEST * (2 * rng.unit() - 1);
    return mapPlanes(picture, (plane) =>
      motionBlur(plane, picture.width, picture.height, {
        radius: radius * scale,
        sigma: sigma * scale,
        degrees,
      }),
    );
  },
};

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
  description: 'The camera came nearer while it looked.',
  apply(picture, severity) {
    const factors = zoomFactors(severity);
    return mapPlanes(picture, (plane) => {
      const sum = Float64Array.from(plane);
      for (const factor of factors)
        zoomPlane(plane, picture.width, picture.height, factor).forEach((value, i) => {
          sum[i] = (sum[i] as number) + value;
        });
      return sum.map((value) => value / (factors.length + 1));
    });
  },
};
