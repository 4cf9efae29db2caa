import type { Region } from '../picture';
import { blurredPicture } from '../pixels/blur';
import type { CutOut } from '../pixels/compositing';
import { warpPicture } from '../pixels/resample';

/** x′ = a·x + b·y + e and y′ = c·x + d·y + f, of centres of pixels; y grows downwards. */
export interface Affine {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

export const identityAffine: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

const isIdentityAffine = ({ a, b, c, d, e, f }: Affine): boolean =>
  a === 1 && b === 0 && c === 0 && d === 1 && e === 0 && f === 0;

export const translateBy = (dx: number, dy: number): Affine => ({ ...identityAffine, e: dx, f: dy });

/** Scaled by k, with a point that goes to another. */
export const scaleAbout = (
  k: number,
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
): Affine => ({ a: k, b: 0, c: 0, d: k, e: toX - k * x, f: toY - k * y });

/** Turned about a point; counter-clockwise as one sees it. */
export function rotateAbout(degrees: number, [x, y]: readonly [number, number]): Affine {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { a: cos, b: sin, c: -sin, d: cos, e: x - cos * x - sin * y, f: y + sin * x - cos * y };
}

/** Left and right exchanged about a column. */
export const reflectAbout = (x: number): Affine => ({ ...identityAffine, a: -1, e: 2 * x });

const applyAffine = ({ a, b, c, d, e, f }: Affine, x: number, y: number): [number, number] => [
  a * x + b * y + e,
  c * x + d * y + f,
];

function invertAffine({ a, b, c, d, e, f }: Affine): Affine {
  const size = a * d - b * c;
  return {
    a: d / size,
    b: -b / size,
    c: -c / size,
    d: a / size,
    e: (b * f - d * e) / size,
    f: (c * e - a * f) / size,
  };
}

/** Length scale of the transformation. */
const scaleOf = ({ a, b, c, d }: Affine): number => Math.sqrt(Math.abs(a * d - b * c));

/** A region after a movement, by the nearest pixel. */
export function moveRegion(region: Region, width: number, movement: Affine): Region {
  const height = region.length / width;
  const back = invertAffine(movement);
  return region.map((_, i) => {
    const x = i % width;
    const [fromX, fromY] = applyAffine(back, x, (i - x) / width).map((at) => Math.floor(at + 0.5)) as [
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
    const [toX, toY] = applyAffine(movement, x, (i - x) / width);
    if (toX >= -0.5 && toY >= -0.5 && toX < width - 0.5 && toY < height - 0.5) kept += 1;
  });
  return area === 0 ? 0 : kept / area;
}

/** Transforms a cut-out. Downscaling is preceded by a blur against aliasing. */
export function moveCutOut({ colours, region }: CutOut, movement: Affine): CutOut {
  if (isIdentityAffine(movement)) return { colours, region };
  const stretch = scaleOf(movement);
  const smooth = stretch < 1 ? blurredPicture(colours, 0.5 * Math.sqrt(1 / stretch ** 2 - 1)) : colours;
  const { a, b, c, d, e, f } = invertAffine(movement);
  return {
    region: moveRegion(region, colours.width, movement),
    colours: warpPicture(smooth, (place) => {
      const { x, y } = place;
      place.x = a * x + b * y + e;
      place.y = c * x + d * y + f;
    }),
  };
}
