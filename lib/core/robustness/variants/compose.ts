import { mapPicture, type Picture } from '../picture';
import type { Region } from '../region';

const GRAY = 0.5;

/** One value wherever the region is. */
export const filled = (picture: Picture, region: Region, fill = GRAY): Picture =>
  mapPicture(picture, (value, pixel) => (region[pixel] ? fill : value));

/** The region of one picture on another of the same size. */
export function composed(top: Picture, below: Picture, region: Region): Picture {
  const area = region.length;
  return mapPicture(below, (value, pixel, channel) =>
    region[pixel] ? (top.data[channel * area + pixel] as number) : value,
  );
}
