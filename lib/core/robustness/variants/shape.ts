import { grayPicture, invertRegion, largestSquare, luminance, type Picture } from '../picture';
import { gaussianBlur } from '../pixels/blur';
import { composite, fillRegion } from '../pixels/compositing';
import { mirrorPosition, warpPicture } from '../pixels/resample';
import type { Variant } from '../types';
import { findDonor, findObject, MIN_OBJECT_SHARE, SINGLE_CELL } from './samples';

/** The silhouette of the object. */
export const silhouette = (): Variant => ({
  id: 'shape.silhouette',
  version: 1,
  description: 'The object in black on white.',
  paradigm: 'transformation',
  needs: ['object mask'],
  parameters: { tiny: MIN_OBJECT_SHARE },
  cells: SINGLE_CELL,
  runs: 1,
  apply(sample) {
    const found = findObject(sample);
    if ('invalid' in found) return found;
    return { picture: grayPicture(sample.picture, invertRegion(found.object)) };
  },
});

export const grayscale = (): Variant => ({
  id: 'shape.grayscale',
  version: 1,
  description: 'Without colour.',
  paradigm: 'transformation',
  needs: [],
  parameters: {},
  cells: SINGLE_CELL,
  runs: 1,
  apply: ({ picture }) => ({ picture: grayPicture(picture, luminance(picture)) }),
});

/** Minimum crop size in pixels; smaller crops have no texture. */
const SMALLEST_CROP = 4;
const WHITE = 1;

/**
 * Cue-conflict stimulus (Geirhos et al. 2019): the silhouette filled with the texture of an object of another class, a
 * mirrored and randomly rotated square, on white.
 */
export const filledSilhouette = (): Variant => ({
  id: 'shape.texture',
  version: 1,
  description: 'The outline of the object, filled with the texture of an object of another class, on white.',
  paradigm: 'transformation',
  needs: ['object mask', 'donors'],
  parameters: { tiny: MIN_OBJECT_SHARE, smallestCrop: SMALLEST_CROP },
  cells: SINGLE_CELL,
  runs: 1,
  async apply(sample, _cell, rng, context) {
    const found = findObject(sample);
    if ('invalid' in found) return found;
    const lent = await findDonor(sample, rng, context, 'other class', (donor) => {
      const square = donor.object && largestSquare(donor.object, donor.picture.width);
      return square && square.side >= SMALLEST_CROP ? { square, donor } : null;
    });
    if (!lent) return { invalid: 'no-donor' };
    const { square, donor } = lent;
    const texture = papered(donor.picture, square, 2 * Math.PI * rng.unit());
    return {
      picture: composite(
        texture,
        fillRegion(
          sample.picture,
          found.object.map(() => 1),
          WHITE,
        ),
        found.object,
      ),
      extra: { textureClass: donor.classIndex, donor: donor.id },
    };
  },
});

/** Tiles the plane with a mirrored square of a picture, rotated about the centre. */
function papered(picture: Picture, square: { x: number; y: number; side: number }, angle: number): Picture {
  const { width, height } = picture;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [cx, cy] = [(width - 1) / 2, (height - 1) / 2];
  const within = (at: number) => Math.min(Math.max(mirrorPosition(at, square.side), 0), square.side - 1);
  return warpPicture(picture, (place) => {
    const dx = place.x - cx;
    const dy = place.y - cy;
    place.x = square.x + within(cos * dx + sin * dy);
    place.y = square.y + within(cos * dy - sin * dx);
  });
}

/** Pixels that are smoothed first, so that grain does not become lines. */
const SIGMA = 1;

export const edges = (): Variant => ({
  id: 'shape.edges',
  version: 1,
  description: 'Lines where brightness changes most, black on white.',
  paradigm: 'transformation',
  needs: [],
  parameters: { sigma: SIGMA },
  cells: SINGLE_CELL,
  runs: 1,
  apply({ picture }) {
    const lines = detectEdges(luminance(picture), picture.width, picture.height, SIGMA);
    return {
      picture: grayPicture(
        picture,
        lines.map((line) => 1 - line),
      ),
    };
  },
});

/** Hysteresis thresholds as shares of the maximum gradient. */
const HIGH = 0.3;
const LOW = 0.1;

/** Canny edge detector (Canny 1986): 1 on an edge, 0 elsewhere. */
function detectEdges(plane: ArrayLike<number>, width: number, height: number, sigma: number): Uint8Array {
  const { slopes, angles } = slopesOf(gaussianBlur(plane, width, height, sigma), width, height);
  const steepest = slopes.reduce((max, slope) => Math.max(max, slope), 0);
  const lines = new Uint8Array(width * height);
  // Rounding errors of a uniform picture must not become edges.
  if (steepest < 1e-9) return lines;
  const isRidge = (i: number) => {
    const x = i % width;
    const y = (i - x) / width;
    const angle = angles[i] as number;
    const [dx, dy] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))];
    const at = (cx: number, cy: number) =>
      cx < 0 || cy < 0 || cx >= width || cy >= height ? 0 : (slopes[cy * width + cx] as number);
    // Keep one of two equal neighbours.
    return (slopes[i] as number) > at(x - dx, y - dy) && (slopes[i] as number) >= at(x + dx, y + dy);
  };
  const waiting: number[] = [];
  slopes.forEach((slope, i) => {
    if (slope < HIGH * steepest || !isRidge(i)) return;
    lines[i] = 1;
    waiting.push(i);
  });
  for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
    const x = i % width;
    const y = (i - x) / width;
    for (let cy = Math.max(0, y - 1); cy <= Math.min(height - 1, y + 1); cy++)
      for (let cx = Math.max(0, x - 1); cx <= Math.min(width - 1, x + 1); cx++) {
        const next = cy * width + cx;
        if (lines[next] || (slopes[next] as number) < LOW * steepest || !isRidge(next)) continue;
        lines[next] = 1;
        waiting.push(next);
      }
  }
  return lines;
}

/** Gradient magnitude and direction (Sobel). */
function slopesOf(plane: Float64Array, width: number, height: number) {
  const slopes = new Float64Array(plane.length);
  const angles = new Float64Array(plane.length);
  const at = (place: number) => plane[place] as number;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const above = y > 0 ? row - width : row;
    const below = y < height - 1 ? row + width : row;
    for (let x = 0; x < width; x++) {
      const left = x > 0 ? x - 1 : x;
      const right = x < width - 1 ? x + 1 : x;
      const corners = at(below + right) - at(above + left);
      const others = at(above + right) - at(below + left);
      const dx = corners + others + 2 * (at(row + right) - at(row + left));
      const dy = corners - others + 2 * (at(below + x) - at(above + x));
      slopes[row + x] = Math.hypot(dx, dy);
      angles[row + x] = Math.atan2(dy, dx);
    }
  }
  return { slopes, angles };
}
