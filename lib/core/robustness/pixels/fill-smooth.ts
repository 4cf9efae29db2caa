import { CHANNELS, clipped, type Picture } from '../picture';
import type { Region } from '../region';
import { valueAt } from './value-at';

/** One step of the pyramid: values of each colour, and how much is known of each pixel, 0 to 1. */
interface Layer {
  width: number;
  height: number;
  planes: Float64Array[];
  known: Float64Array;
}

/**
 * A region filled from what lies around it: means of known pixels are pulled up a pyramid and pushed back down into what
 * is unknown (Gortler et al. 1996). All other pixels stay bit for bit. The region must not be everything.
 */
export function filledSmoothly({ width, height, data }: Picture, region: Region): Picture {
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
    last = pulled(last);
  for (let i = layers.length - 2; i >= 0; i--) push(layers[i + 1] as Layer, layers[i] as Layer);
  const out = new Float32Array(data.length);
  layers[0]?.planes.forEach((plane, channel) => {
    out.set(plane.map(clipped), channel * area);
  });
  return { width, height, data: out };
}

/** Half the size: each value is the mean of what is known of up to four. */
function pulled({ width, height, planes, known }: Layer): Layer {
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

/** What is unknown becomes what the coarser layer has there, between its pixels. */
function push(coarse: Layer, { width, height, planes, known }: Layer): void {
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const share = known[i] as number;
      if (share === 1) continue;
      const [atX, atY] = [(x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5];
      for (let channel = 0; channel < CHANNELS; channel++) {
        const plane = planes[channel] as Float64Array;
        const guess = valueAt(coarse.planes[channel] as Float64Array, coarse.width, coarse.height, atX, atY);
        plane[i] = share * (plane[i] as number) + (1 - share) * guess;
      }
    }
}
