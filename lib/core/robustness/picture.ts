/**
 * A picture as a model is given it, before its colours are normalised: red, green and blue planes one after the other,
 * row by row, 0 to 1. Every change of a picture happens here, so that noise and budgets mean the same for every model.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export const CHANNELS = 3;

export const likePicture = ({ width, height }: Picture): Picture & { data: Float32Array } => ({
  width,
  height,
  data: new Float32Array(CHANNELS * width * height),
});

export const clipped = (value: number): number => Math.min(Math.max(value, 0), 1);

/** Pixel by pixel with its channel; the result is clipped to 0 … 1. */
export function mapPicture(
  picture: Picture,
  change: (value: number, pixel: number, channel: number) => number,
): Picture {
  const { width, height, data } = picture;
  const area = width * height;
  const out = likePicture(picture);
  for (let channel = 0; channel < CHANNELS; channel++)
    for (let pixel = 0; pixel < area; pixel++) {
      const at = channel * area + pixel;
      out.data[at] = clipped(change(data[at] as number, pixel, channel));
    }
  return out;
}
