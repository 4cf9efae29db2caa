/**
 * A model input before colour normalisation: red, green and blue planes, row by row, values from 0 to 1. All perturbations
 * are applied to this representation, so that noise levels and budgets are comparable between models.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export const CHANNELS = 3;

export const emptyPicture = ({ width, height }: Picture): Picture & { data: Float32Array } => ({
  width,
  height,
  data: new Float32Array(CHANNELS * width * height),
});

export const clampToUnit = (value: number): number => Math.min(Math.max(value, 0), 1);

/** Maps every value with its pixel and channel; the result is clamped to 0 … 1. */
export function mapPicture(
  picture: Picture,
  change: (value: number, pixel: number, channel: number) => number,
): Picture {
  const { width, height, data } = picture;
  const area = width * height;
  const out = emptyPicture(picture);
  for (let channel = 0; channel < CHANNELS; channel++)
    for (let pixel = 0; pixel < area; pixel++) {
      const at = channel * area + pixel;
      out.data[at] = clampToUnit(change(data[at] as number, pixel, channel));
    }
  return out;
}

/** View of one colour plane. */
export const planeOf = ({ width, height, data }: Picture, channel: number): Float32Array =>
  data.subarray(channel * width * height, (channel + 1) * width * height);

/** Maps each colour plane; the result is clamped to 0 … 1. */
export function mapPlanes(
  picture: Picture,
  change: (plane: Float32Array, channel: number) => ArrayLike<number>,
): Picture {
  const out = emptyPicture(picture);
  for (let channel = 0; channel < CHANNELS; channel++) {
    const changed = change(planeOf(picture, channel), channel);
    const into = planeOf(out, channel);
    for (let i = 0; i < into.length; i++) into[i] = clampToUnit(changed[i] as number);
  }
  return out;
}

/** Gray picture from one plane. */
export const grayPicture = (size: Picture, plane: ArrayLike<number>): Picture => mapPlanes(size, () => plane);

/** Luminance (ITU-R BT.601). */
export function luminance(picture: Picture): Float32Array {
  const [red, green, blue] = [0, 1, 2].map((channel) => planeOf(picture, channel)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  return red.map((value, i) => 0.299 * value + 0.587 * (green[i] as number) + 0.114 * (blue[i] as number));
}

/** Binary mask of a picture, row by row. */
export type Region = Uint8Array;

export const invertRegion = (region: Region): Region => region.map((pixel) => (pixel ? 0 : 1));

export const regionArea = (region: Region): number => region.reduce((sum, pixel) => sum + pixel, 0);

/** Bounding box of a region; null if the region is empty. */
export function regionBox(
  region: Region,
  width: number,
): { x: number; y: number; width: number; height: number } | null {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -1, -1];
  region.forEach((pixel, i) => {
    if (!pixel) return;
    const x = i % width;
    const y = (i - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  });
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Whether the region touches the image border. Such an object cannot be moved without showing the cut. */
export function touchesEdge(region: Region, width: number): boolean {
  const height = region.length / width;
  for (let x = 0; x < width; x++) if (region[x] || region[(height - 1) * width + x]) return true;
  for (let y = 0; y < height; y++) if (region[y * width] || region[y * width + width - 1]) return true;
  return false;
}

/** Filled bounding box of a region. */
export function fillBoundingBox(region: Region, width: number): Region {
  const box = regionBox(region, width);
  return region.map((_, i) => {
    if (!box) return 0;
    const x = i % width;
    const y = (i - x) / width;
    return Number(x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height);
  });
}

/** Largest 4-connected component, the first of equals. */
export function largestComponent(region: Region, width: number): Region {
  const pieces = new Int32Array(region.length);
  let [best, max, count] = [0, 0, 0];
  region.forEach((pixel, start) => {
    if (!pixel || pieces[start]) return;
    count += 1;
    let area = 0;
    const waiting = [start];
    pieces[start] = count;
    for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
      area += 1;
      const x = i % width;
      const near = [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width];
      for (const next of near) {
        if (next < 0 || next >= region.length || !region[next] || pieces[next]) continue;
        pieces[next] = count;
        waiting.push(next);
      }
    }
    if (area > max) [best, max] = [count, area];
  });
  return region.map((pixel, i) => (pixel && pieces[i] === best ? 1 : 0));
}

/** Largest square inside a region, the first of equals; null if it is empty. */
export function largestSquare(region: Region, width: number): { x: number; y: number; side: number } | null {
  // Side of the largest square that ends at each pixel.
  const sides = new Int32Array(region.length);
  let best: { x: number; y: number; side: number } | null = null;
  for (let i = 0; i < region.length; i++) {
    if (!region[i]) continue;
    const x = i % width;
    const y = (i - x) / width;
    const side =
      x === 0 || y === 0
        ? 1
        : 1 + Math.min(sides[i - 1] as number, sides[i - width] as number, sides[i - width - 1] as number);
    sides[i] = side;
    if (!best || side > best.side) best = { x: x - side + 1, y: y - side + 1, side };
  }
  return best;
}
