import { mapPlanes, type Picture } from '../picture';
import { mirrorIndex } from './resample';

/** A blur below this sigma has no visible effect. */
const SHARP = 0.05;
/** Truncation of the kernel, in σ. */
const REACH = 4;

/** Source positions and weights for each position of a line. */
interface Taps {
  count: number;
  places: Int32Array;
  weights: Float64Array;
}

/** Gaussian blur with mirrored borders. */
export function gaussianBlur(
  plane: ArrayLike<number>,
  width: number,
  height: number,
  sigma: number,
  reach = REACH,
): Float64Array {
  const given = Float64Array.from(plane);
  if (sigma < SHARP) return given;
  const across = tapsOf(width, sigma, reach);
  const rows = new Float64Array(given.length);
  for (let row = 0; row < given.length; row += width)
    for (let x = 0, t = 0; x < width; x++) {
      let sum = 0;
      for (const end = t + across.count; t < end; t++)
        sum += (across.weights[t] as number) * (given[row + (across.places[t] as number)] as number);
      rows[row + x] = sum;
    }
  const down = tapsOf(height, sigma, reach);
  const out = new Float64Array(given.length);
  for (let y = 0; y < height; y++)
    for (let t = y * down.count; t < (y + 1) * down.count; t++) {
      const from = (down.places[t] as number) * width;
      const weight = down.weights[t] as number;
      for (let x = 0; x < width; x++)
        out[y * width + x] = (out[y * width + x] as number) + weight * (rows[from + x] as number);
    }
  return out;
}

export const blurredPicture = (picture: Picture, sigma: number): Picture =>
  mapPlanes(picture, (plane) => gaussianBlur(plane, picture.width, picture.height, sigma));

/** A kernel wider than the line is folded, so that no position is visited twice. */
function tapsOf(n: number, sigma: number, reach: number): Taps {
  const radius = Math.max(1, Math.round(reach * sigma));
  const bell = Float64Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma * sigma)),
  );
  const sum = bell.reduce((a, b) => a + b, 0);
  const isFolded = bell.length > n;
  const count = isFolded ? n : bell.length;
  const places = new Int32Array(n * count);
  const weights = new Float64Array(n * count);
  for (let at = 0; at < n; at++) {
    if (isFolded) for (let i = 0; i < n; i++) places[at * n + i] = i;
    bell.forEach((value, i) => {
      const place = mirrorIndex(at + i - radius, n);
      const tap = at * count + (isFolded ? place : i);
      places[tap] = place;
      weights[tap] = (weights[tap] as number) + value / sum;
    });
  }
  return { count, places, weights };
}

/** Subsamples per pixel side. */
const POINTS = 8;

interface Tap {
  dx: number;
  dy: number;
  weight: number;
}

/** Disk blur with mirrored borders and an anti-aliased rim. */
export function diskBlur(
  plane: ArrayLike<number>,
  width: number,
  height: number,
  radius: number,
): Float64Array {
  const taps = diskTaps(radius);
  const out = new Float64Array(width * height);
  for (const { dx, dy, weight } of taps) {
    const columns = Int32Array.from({ length: width }, (_, x) => mirrorIndex(x + dx, width));
    for (let y = 0; y < height; y++) {
      const from = mirrorIndex(y + dy, height) * width;
      for (let x = 0; x < width; x++)
        out[y * width + x] =
          (out[y * width + x] as number) + weight * (plane[from + (columns[x] as number)] as number);
    }
  }
  return out;
}

export function diskTaps(radius: number): Tap[] {
  const reach = Math.ceil(radius);
  const taps: Tap[] = [];
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) {
      const weight = inside(dx, dy, radius);
      if (weight > 0) taps.push({ dx, dy, weight });
    }
  if (taps.length === 0) return [{ dx: 0, dy: 0, weight: 1 }];
  const sum = taps.reduce((total, { weight }) => total + weight, 0);
  return taps.map((tap) => ({ ...tap, weight: tap.weight / sum }));
}

function inside(dx: number, dy: number, radius: number): number {
  let count = 0;
  for (let i = 0; i < POINTS; i++)
    for (let k = 0; k < POINTS; k++) {
      const [x, y] = [dx + (i + 0.5) / POINTS - 0.5, dy + (k + 0.5) / POINTS - 0.5];
      if (x * x + y * y <= radius * radius) count += 1;
    }
  return count;
}

/** Avoids division by zero. */
const SHORTEST = 1e-3;

/** One-sided motion blur: a half Gaussian of `sigma` pixels, 2 · radius long. */
export function motionBlur(
  plane: ArrayLike<number>,
  width: number,
  height: number,
  { radius, sigma, degrees }: { radius: number; sigma: number; degrees: number },
): Float64Array {
  const spread = Math.max(sigma, SHORTEST);
  const weights = Array.from({ length: 2 * Math.round(radius) + 1 }, (_, i) =>
    Math.exp(-(i * i) / (2 * spread * spread)),
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  const angle = (degrees * Math.PI) / 180;
  const out = new Float64Array(width * height);
  weights.forEach((weight, i) => {
    const across = shifted(width, i * Math.cos(angle));
    const down = shifted(height, i * Math.sin(angle));
    // The bilinear weights are the same for all pixels.
    const part = weight / sum;
    const [a, b] = [part * (1 - across.share) * (1 - down.share), part * across.share * (1 - down.share)];
    const [c, d] = [part * (1 - across.share) * down.share, part * across.share * down.share];
    for (let y = 0, at = 0; y < height; y++) {
      const top = (down.low[y] as number) * width;
      const bottom = (down.high[y] as number) * width;
      for (let x = 0; x < width; x++, at++) {
        const left = across.low[x] as number;
        const right = across.high[x] as number;
        out[at] =
          (out[at] as number) +
          a * (plane[top + left] as number) +
          b * (plane[top + right] as number) +
          c * (plane[bottom + left] as number) +
          d * (plane[bottom + right] as number);
      }
    }
  });
  return out;
}

/** Sampling positions of a line shifted by a fraction, with repeated borders. */
function shifted(n: number, by: number): { low: Int32Array; high: Int32Array; share: number } {
  const whole = Math.floor(by);
  const within = (at: number) => Math.min(Math.max(at, 0), n - 1);
  return {
    low: Int32Array.from({ length: n }, (_, i) => within(i + whole)),
    high: Int32Array.from({ length: n }, (_, i) => within(i + whole + 1)),
    share: by - whole,
  };
}
