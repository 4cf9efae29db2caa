import {
  CHANNELS,
  clampToUnit,
  invertRegion,
  mapPicture,
  mapPlanes,
  type Picture,
  type Region,
  regionArea,
  regionBox,
} from '../picture';
import { gaussianBlur } from './blur';
import { sampleBilinear } from './resample';

const GRAY = 0.5;

/** Fills a region with a constant. */
export const fillRegion = (picture: Picture, region: Region, fill = GRAY): Picture =>
  mapPicture(picture, (value, pixel) => (region[pixel] ? fill : value));

/** Copies a region of one picture onto another of the same size. */
export function composite(top: Picture, below: Picture, region: Region): Picture {
  const area = region.length;
  return mapPicture(below, (value, pixel, channel) =>
    region[pixel] ? (top.data[channel * area + pixel] as number) : value,
  );
}

/** Alpha mask of a region with a Gaussian edge of `feather` pixels. */
const featherRegion = (region: Region, width: number, feather: number): Float64Array =>
  gaussianBlur(region, width, region.length / width, feather);

/** Alpha blending. */
function blendPictures(top: Picture, below: Picture, shares: Float64Array): Picture {
  const area = top.data.length / CHANNELS;
  return mapPicture(below, (value, pixel, channel) => {
    const share = shares[pixel] as number;
    return share <= 0 ? value : value + share * ((top.data[channel * area + pixel] as number) - value);
  });
}

/** A cut-out object. Its colours continue beyond the mask, so that no background bleeds in. */
export interface CutOut {
  colours: Picture;
  region: Region;
}

export const cutOut = (picture: Picture, region: Region): CutOut => ({
  colours: regionArea(region) === 0 ? picture : inpaintSmoothly(picture, invertRegion(region)),
  region,
});

/** Pastes a cut-out onto a picture, with a soft edge if `feather` is positive. */
export const paste = ({ colours, region }: CutOut, below: Picture, feather: number): Picture =>
  feather > 0
    ? blendPictures(colours, below, featherRegion(region, below.width, feather))
    : composite(colours, below, region);

/** A pyramid level: colour planes and the known share of each pixel. */
interface Layer {
  width: number;
  height: number;
  planes: Float64Array[];
  known: Float64Array;
}

/**
 * Inpaints a region by pull-push interpolation (Gortler et al. 1996). All other pixels stay bit-identical. The region must
 * not cover the whole picture.
 */
export function inpaintSmoothly({ width, height, data }: Picture, region: Region): Picture {
  const area = width * height;
  const layers: Layer[] = [
    {
      width,
      height,
      planes: Array.from({ length: CHANNELS }, (_, channel) =>
        Float64Array.from(data.subarray(channel * area, (channel + 1) * area)),
      ),
      known: Float64Array.from(region, (pixel) => (pixel ? 0 : 1)),
    },
  ];
  for (let last = layers[0] as Layer; last.width > 1 || last.height > 1; layers.push(last))
    last = downsample(last);
  for (let i = layers.length - 2; i >= 0; i--) fillFromCoarser(layers[i + 1] as Layer, layers[i] as Layer);
  const out = new Float32Array(data.length);
  layers[0]?.planes.forEach((plane, channel) => {
    out.set(plane.map(clampToUnit), channel * area);
  });
  return { width, height, data: out };
}

/** Halves the size; each value is the mean of up to four known pixels. */
function downsample({ width, height, planes, known }: Layer): Layer {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const up: Layer = {
    width: w,
    height: h,
    planes: planes.map(() => new Float64Array(w * h)),
    known: new Float64Array(w * h),
  };
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0; x < width; x++, from++) {
      const share = known[from] as number;
      if (share === 0) continue;
      const to = (y >> 1) * w + (x >> 1);
      up.known[to] = (up.known[to] as number) + share;
      for (let channel = 0; channel < CHANNELS; channel++) {
        const plane = up.planes[channel] as Float64Array;
        plane[to] = (plane[to] as number) + share * ((planes[channel] as Float64Array)[from] as number);
      }
    }
  up.known.forEach((sum, i) => {
    if (sum > 0) for (const plane of up.planes) plane[i] = (plane[i] as number) / sum;
    up.known[i] = Math.min(1, sum);
  });
  return up;
}

/** Fills unknown pixels by interpolation from the coarser level. */
function fillFromCoarser(coarse: Layer, { width, height, planes, known }: Layer): void {
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const share = known[i] as number;
      if (share === 1) continue;
      const [atX, atY] = [(x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5];
      for (let channel = 0; channel < CHANNELS; channel++) {
        const plane = planes[channel] as Float64Array;
        const guess = sampleBilinear(
          coarse.planes[channel] as Float64Array,
          coarse.width,
          coarse.height,
          atX,
          atY,
        );
        plane[i] = share * (plane[i] as number) + (1 - share) * guess;
      }
    }
}

/** How a removed object is filled. */
export const inpaintings = ['smooth', 'tile', 'mean', 'gray'] as const;
export type Inpainting = (typeof inpaintings)[number];

/** Removes an object; null if the method has no background to fill with. */
export function removeObject(picture: Picture, object: Region, filler: Inpainting): Picture | null {
  if (filler === 'smooth') return inpaintSmoothly(picture, object);
  if (filler === 'tile') return inpaintWithTiles(picture, object, object);
  if (filler === 'gray') return fillRegion(picture, object);
  return mapPlanes(picture, (plane) => {
    let [sum, n] = [0, 0];
    plane.forEach((value, i) => {
      if (object[i]) return;
      sum += value;
      n += 1;
    });
    return plane.map((value, i) => (object[i] ? sum / n : value));
  });
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Covers `where` with copies of the largest background strip left, right, above or below the bounding box of the object.
 * Null if there is none.
 */
export function inpaintWithTiles(picture: Picture, object: Region, where: Region): Picture | null {
  const { width, height, data } = picture;
  const box = regionBox(object, width);
  const strip = box && largestStrip(box, width, height);
  if (!box || !strip) return null;
  return mapPicture(picture, (value, pixel, channel) => {
    if (!where[pixel]) return value;
    const x = pixel % width;
    const y = (pixel - x) / width;
    const fromX = strip.x + modulo(x - box.x, strip.width);
    const fromY = strip.y + modulo(y - box.y, strip.height);
    return data[(channel * height + fromY) * width + fromX] as number;
  });
}

function largestStrip(box: Box, width: number, height: number): Box | null {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const strips: Box[] = [
    { x: 0, y: 0, width: box.x, height },
    { x: right, y: 0, width: width - right, height },
    { x: 0, y: 0, width, height: box.y },
    { x: 0, y: bottom, width, height: height - bottom },
  ];
  const area = (strip: Box) => strip.width * strip.height;
  const largest = strips.reduce((best, strip) => (area(strip) > area(best) ? strip : best));
  return area(largest) > 0 ? largest : null;
}

const modulo = (a: number, n: number): number => ((a % n) + n) % n;
