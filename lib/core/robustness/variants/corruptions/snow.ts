import { clipped } from '../../picture';
import { motionBlur } from '../../pixels/motion-blur';
import { luminance, mapPlanes } from '../../pixels/planes';
import { zoomed } from '../../pixels/zoomed';
import { type BySeverity, type Corruption, ofSeverity, sizeScale } from './corruption';

/** Flakes are noise of this mean and spread, enlarged, where it is above the threshold; `mix` of the picture stays. */
interface Snow {
  mean: number;
  spread: number;
  zoom: number;
  threshold: number;
  radius: number;
  sigma: number;
  mix: number;
}

const snowOf = (
  mean: number,
  spread: number,
  zoom: number,
  threshold: number,
  radius: number,
  sigma: number,
  mix: number,
): Snow => ({ mean, spread, zoom, threshold, radius, sigma, mix });

const SNOWS: BySeverity<Snow> = [
  snowOf(0.1, 0.3, 3, 0.5, 10, 4, 0.8),
  snowOf(0.2, 0.3, 2, 0.5, 12, 4, 0.7),
  snowOf(0.55, 0.3, 4, 0.9, 12, 8, 0.7),
  snowOf(0.55, 0.3, 4.5, 0.85, 12, 8, 0.65),
  snowOf(0.55, 0.3, 2.5, 0.85, 12, 12, 0.55),
];

export const snow: Corruption = {
  id: 'snow',
  says: 'Falling snow before a whitened picture.',
  apply(picture, severity, chance) {
    const { mean, spread, zoom, threshold, radius, sigma, mix } = ofSeverity(SNOWS, severity);
    const { width, height } = picture;
    const area = width * height;
    const noise = Float64Array.from({ length: area }, () => mean + spread * chance.normal());
    const flakes = zoomed(noise, width, height, zoom).map((value) =>
      value < threshold ? 0 : clipped(value),
    );
    const scale = sizeScale(picture);
    const falling = motionBlur(flakes, width, height, {
      radius: radius * scale,
      sigma: sigma * scale,
      degrees: -135 + 90 * chance.unit(),
    });
    const gray = luminance(picture);
    return mapPlanes(picture, (plane) =>
      Float64Array.from(plane, (value, i) => {
        const white = Math.max(value, 1.5 * (gray[i] as number) + 0.5);
        // The same flakes upside down as well: twice the snow for one layer.
        const layer = (falling[i] as number) + (falling[area - 1 - i] as number);
        return mix * value + (1 - mix) * white + layer;
      }),
    );
  },
};
