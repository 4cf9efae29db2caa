import { CHANNELS, clipped, likePicture, type Picture } from '../picture';
import { planeOf } from './planes';
import { valueAt } from './value-at';

/** A place between pixels; one is reused for all pixels of a picture. */
export interface Place {
  x: number;
  y: number;
}

/** A picture of the given size, each pixel taken from where `find` moves its place to. */
export function warped(
  picture: Picture,
  find: (place: Place) => void,
  { width, height }: { width: number; height: number } = picture,
): Picture {
  const out = likePicture({ width, height, data: picture.data });
  const planes = Array.from({ length: CHANNELS }, (_, channel) => planeOf(picture, channel));
  const place = { x: 0, y: 0 };
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      place.x = x;
      place.y = y;
      find(place);
      for (let channel = 0; channel < CHANNELS; channel++)
        out.data[channel * width * height + i] = clipped(
          valueAt(planes[channel] as Float32Array, picture.width, picture.height, place.x, place.y),
        );
    }
  return out;
}
