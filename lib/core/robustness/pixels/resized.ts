import { CHANNELS, likePicture, type Picture } from '../picture';
import { bilinear } from '../saliency/bilinear';

/** The same picture in another size; itself where the size is the same. */
export function resized(picture: Picture, { width, height }: { width: number; height: number }): Picture {
  if (picture.width === width && picture.height === height) return picture;
  const out = likePicture({ width, height, data: new Float32Array() });
  const area = picture.width * picture.height;
  for (let channel = 0; channel < CHANNELS; channel++) {
    const plane = picture.data.subarray(channel * area, (channel + 1) * area);
    out.data.set(bilinear(plane, picture.width, picture.height, width, height), channel * width * height);
  }
  return out;
}
