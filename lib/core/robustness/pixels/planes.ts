import { CHANNELS, clipped, likePicture, type Picture } from '../picture';

/** The values of one colour, row by row; not a copy. */
export const planeOf = ({ width, height, data }: Picture, channel: number): Float32Array =>
  data.subarray(channel * width * height, (channel + 1) * width * height);

/** Colour by colour; the result is clipped to 0 … 1. */
export function mapPlanes(
  picture: Picture,
  change: (plane: Float32Array, channel: number) => ArrayLike<number>,
): Picture {
  const out = likePicture(picture);
  for (let channel = 0; channel < CHANNELS; channel++) {
    const changed = change(planeOf(picture, channel), channel);
    const into = planeOf(out, channel);
    for (let i = 0; i < into.length; i++) into[i] = clipped(changed[i] as number);
  }
  return out;
}

/** The same values in all three colours. */
export const grayPicture = (size: Picture, plane: ArrayLike<number>): Picture => mapPlanes(size, () => plane);

/** How bright a pixel looks: weights of ITU-R BT.601. */
export function luminance(picture: Picture): Float32Array {
  const [red, green, blue] = [0, 1, 2].map((channel) => planeOf(picture, channel)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  return red.map((value, i) => 0.299 * value + 0.587 * (green[i] as number) + 0.114 * (blue[i] as number));
}
