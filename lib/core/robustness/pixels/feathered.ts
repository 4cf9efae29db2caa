import { CHANNELS, mapPicture, type Picture } from '../picture';
import type { Region } from '../region';
import { gaussianBlur } from './gaussian-blur';

/** How much of each pixel belongs to a region whose edge is `feather` pixels soft. */
export const feathered = (region: Region, width: number, feather: number): Float64Array =>
  gaussianBlur(region, width, region.length / width, feather);

/** One picture over another by shares. */
export function blended(top: Picture, below: Picture, shares: Float64Array): Picture {
  const area = top.data.length / CHANNELS;
  return mapPicture(below, (value, pixel, channel) => {
    const share = shares[pixel] as number;
    return share <= 0 ? value : value + share * ((top.data[channel * area + pixel] as number) - value);
  });
}
