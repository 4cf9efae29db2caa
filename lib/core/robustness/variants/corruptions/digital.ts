import { mapPlanes, type Picture } from '../../picture';
import { gaussianBlur } from '../../pixels/blur';
import { mirrorPosition, type Place, warpPicture } from '../../pixels/resample';
import type { Rng } from '../../random';
import { type BySeverity, type Corruption, ofSeverity, sizeScale } from './corruption';

const KEPT: BySeverity<number> = [0.4, 0.3, 0.2, 0.1, 0.05];

export const contrast: Corruption = {
  id: 'contrast',
  description: 'Little contrast: every colour is drawn towards its mean.',
  apply(picture, severity) {
    const kept = ofSeverity(KEPT, severity);
    return mapPlanes(picture, (plane) => {
      let sum = 0;
      for (const value of plane) sum += value;
      const mean = sum / plane.length;
      return Float64Array.from(plane, (value) => (value - mean) * kept + mean);
    });
  },
};

/** The published parameters are given in units of this many pixels (sic, not 224). */
const UNIT = 244;
const WARPS: BySeverity<{ strength: number; sigma: number; corner: number }> = [
  { strength: 2, sigma: 0.7, corner: 0.1 },
  { strength: 2, sigma: 0.08, corner: 0.2 },
  { strength: 0.05, sigma: 0.01, corner: 0.02 },
  { strength: 0.07, sigma: 0.01, corner: 0.02 },
  { strength: 0.12, sigma: 0.01, corner: 0.02 },
];
const REACH = 3;

export const elastic: Corruption = {
  id: 'elastic-transform',
  description: 'Stretched here and pressed there, as rubber.',
  apply(picture, severity, rng) {
    const { strength, sigma, corner } = ofSeverity(WARPS, severity);
    const { width, height } = picture;
    const scale = sizeScale(picture);
    const skew = skewed(picture, corner * UNIT * scale, rng);
    // Noise that is blurred more is weaker, in inverse proportion: for shifts that shrink with the picture, the strength
    // goes by the square.
    const field = () => {
      const noise = Float64Array.from({ length: width * height }, () => 2 * rng.unit() - 1);
      return gaussianBlur(noise, width, height, sigma * UNIT * scale, REACH).map(
        (value) => value * strength * UNIT * scale * scale,
      );
    };
    const [across, down] = [field(), field()];
    return warpPicture(picture, (place) => {
      const i = place.y * width + place.x;
      place.x += across[i] as number;
      place.y += down[i] as number;
      skew(place);
      place.x = mirrorPosition(place.x, width);
      place.y = mirrorPosition(place.y, height);
    });
  },
};

/** The plane moved so that three corners of a square in its middle, a third of it each way, go up to `most` pixels off. */
function skewed({ width, height }: Picture, max: number, rng: Rng) {
  const [cx, cy] = [Math.floor(width / 2), Math.floor(height / 2)];
  const third = Math.floor(Math.min(width, height) / 3);
  const off = () => [max * (2 * rng.unit() - 1), max * (2 * rng.unit() - 1)] as const;
  const [a, b, c] = [off(), off(), off()];
  const side = 2 * third;
  return (place: Place): void => {
    // Too small to have a square in its middle: nothing is skewed.
    if (third === 0) return;
    // Corners: a bottom right, b top right, c top left.
    const u = (place.x - (cx - third)) / side;
    const v = (place.y - (cy - third)) / side;
    place.x += c[0] + u * (b[0] - c[0]) + v * (a[0] - b[0]);
    place.y += c[1] + u * (b[1] - c[1]) + v * (a[1] - b[1]);
  };
}

const SCALE: BySeverity<number> = [0.6, 0.5, 0.4, 0.3, 0.25];

/** How many cells are left of a side. */
export const pixelatedSide = (side: number, severity: number): number =>
  Math.max(1, Math.floor(side * ofSeverity(SCALE, severity)));

export const pixelate: Corruption = {
  id: 'pixelate',
  description: 'Few, large pixels: made smaller and large again, by means of boxes.',
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

const QUALITY: BySeverity<number> = [25, 18, 15, 10, 7];

export const jpeg: Corruption = {
  id: 'jpeg-compression',
  description: 'Saved as a small JPEG.',
  apply: (picture, severity, _chance, context) =>
    context.compressJpeg(picture, ofSeverity(QUALITY, severity)),
};
