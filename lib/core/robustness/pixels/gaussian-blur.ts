import type { Picture } from '../picture';
import { mirrored } from './edge';
import { mapPlanes } from './planes';

/** Below this many pixels a blur changes nothing that can be seen. */
const SHARP = 0.05;
/** How many σ the bell reaches. */
const REACH = 4;

/** For each place of a line, which places it is the mean of, and with which weights. */
interface Taps {
  count: number;
  places: Int32Array;
  weights: Float64Array;
}

/** Blurs values by a Gaussian of `sigma` pixels, mirrored at the edges. */
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

/** A bell wider than the line is folded into it, so that no place is visited twice. */
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
      const place = mirrored(at + i - radius, n);
      const tap = at * count + (isFolded ? place : i);
      places[tap] = place;
      weights[tap] = (weights[tap] as number) + value / sum;
    });
  }
  return { count, places, weights };
}
