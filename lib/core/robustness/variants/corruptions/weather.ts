import { CHANNELS, clampToUnit, luminance, mapPicture, mapPlanes, planeOf } from '../../picture';
import { motionBlur } from '../../pixels/blur';
import { zoomPlane } from '../../pixels/resample';
import { plasmaNoise } from '../../pixels/texture';
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
  description: 'Falling snow before a whitened picture.',
  apply(picture, severity, rng) {
    const { mean, spread, zoom, threshold, radius, sigma, mix } = ofSeverity(SNOWS, severity);
    const { width, height } = picture;
    const area = width * height;
    const noise = Float64Array.from({ length: area }, () => mean + spread * rng.normal());
    const flakes = zoomPlane(noise, width, height, zoom).map((value) =>
      value < threshold ? 0 : clampToUnit(value),
    );
    const scale = sizeScale(picture);
    const falling = motionBlur(flakes, width, height, {
      radius: radius * scale,
      sigma: sigma * scale,
      degrees: -135 + 90 * rng.unit(),
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

const WEIGHTS: BySeverity<{ picture: number; frost: number }> = [
  { picture: 1, frost: 0.4 },
  { picture: 0.8, frost: 0.6 },
  { picture: 0.7, frost: 0.7 },
  { picture: 0.65, frost: 0.7 },
  { picture: 0.6, frost: 0.75 },
];

/** Ice lets a little less red through. */
const TINT = [0.88, 0.95, 1];
/** Rough enough for crystals; clouds would be about 2. */
const ROUGH = 1.35;

/**
 * Frost by weights of the published one, but of a computed texture: its photographs cannot be shipped. Hence its own
 * name, and figures that must not be compared with those of "frost".
 */
export const frostP: Corruption = {
  id: 'frost-p',
  description: 'Ice on the lens, of a computed texture.',
  apply(picture, severity, rng) {
    const weights = ofSeverity(WEIGHTS, severity);
    const { width, height } = picture;
    const needles = plasmaNoise(width, height, ROUGH, rng);
    const sheet = plasmaNoise(width, height, 2, rng);
    // Where rough clouds pass their middle there is a line: lines that branch look like needles.
    const ice = needles.map((value, i) => {
      const line = (1 - Math.abs(2 * value - 1)) ** 4;
      return 0.15 + 0.35 * (sheet[i] as number) + 0.5 * line;
    });
    return mapPlanes(picture, (plane, channel) =>
      Float64Array.from(
        plane,
        (value, i) =>
          weights.picture * value + weights.frost * (TINT[channel] as number) * (ice[i] as number),
      ),
    );
  },
};

const FOGS: BySeverity<{ amount: number; decay: number }> = [
  { amount: 1.5, decay: 2 },
  { amount: 2, decay: 2 },
  { amount: 2.5, decay: 1.7 },
  { amount: 2.5, decay: 1.5 },
  { amount: 3, decay: 1.4 },
];

/** `cloud` over a value, dimmed so that the brightest value stays the brightest. */
export const fogged = (value: number, brightest: number, amount: number, cloud: number): number =>
  ((value + amount * cloud) * brightest) / (brightest + amount);

export const fog: Corruption = {
  id: 'fog',
  description: 'Fog.',
  apply(picture, severity, rng) {
    const { amount, decay } = ofSeverity(FOGS, severity);
    const clouds = plasmaNoise(picture.width, picture.height, decay, rng);
    const brightest = picture.data.reduce((max, value) => Math.max(max, value), 0);
    return mapPicture(picture, (value, pixel) => fogged(value, brightest, amount, clouds[pixel] as number));
  },
};

const ADDED: BySeverity<number> = [0.1, 0.2, 0.3, 0.4, 0.5];

export const brightness: Corruption = {
  id: 'brightness',
  description: 'Overexposed: the value of hue, saturation and value is raised.',
  apply(picture, severity) {
    const added = ofSeverity(ADDED, severity);
    const planes = Array.from({ length: CHANNELS }, (_, channel) => planeOf(picture, channel));
    return mapPicture(picture, (value, pixel) => {
      const max = Math.max(...planes.map((plane) => plane[pixel] as number));
      const raised = clampToUnit(max + added);
      // Black has neither hue nor saturation: it becomes gray.
      return max > 0 ? (value * raised) / max : raised;
    });
  },
};
