import type { Size } from './frame';

/** Per channel, in units of the pixel values. */
export interface Normalisation {
  mean: readonly [number, number, number];
  deviation: readonly [number, number, number];
}

/** Of ImageNet, on 0 … 255; what both Segment Anything and U²-Net were trained with. */
export const imageNet: Normalisation = {
  mean: [123.675, 116.28, 103.53],
  deviation: [58.395, 57.12, 57.375],
};

/**
 * Interleaved red, green, blue bytes as a planar tensor of 3 × side × side. Right of the picture and below it
 * stand zeros, as Segment Anything was trained with.
 */
export function imageTensor(rgb: ArrayLike<number>, { width, height }: Size, side: number): Float32Array {
  const tensor = new Float32Array(3 * side * side);
  for (let channel = 0; channel < 3; channel++) {
    const mean = imageNet.mean[channel] as number;
    const deviation = imageNet.deviation[channel] as number;
    const plane = channel * side * side;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        tensor[plane + y * side + x] = ((rgb[3 * (y * width + x) + channel] as number) - mean) / deviation;
  }
  return tensor;
}
