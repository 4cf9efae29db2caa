import type { ModelContract } from '@/lib/core/robustness/onnx/contract';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';

type Input = ModelContract['input'];

/** Writes a picture as the file takes it: normalised last, in its order of colours and sides. */
export function writePicture({ data }: Picture, input: Input, into: Float32Array): void {
  // What the trainer exports does all this by itself.
  if (isPlain(input)) {
    into.set(data);
    return;
  }
  for (const { from, to, step, mean, std } of planes(input))
    for (let i = 0; i < input.width * input.height; i++)
      into[to + i * step] = ((data[from + i] as number) - mean) / std;
}

/** Pictures that lie one after the other, as the file takes them, are its input as they are; null where they are not. */
export function asInput(pictures: readonly Picture[], input: Input): Float32Array | null {
  const [first] = pictures as [Picture];
  const { buffer, byteOffset, length, byteLength } = first.data;
  const isOne =
    isPlain(input) &&
    pictures.every(
      ({ data }, i) =>
        data.buffer === buffer && data.length === length && data.byteOffset === byteOffset + i * byteLength,
    );
  return isOne ? new Float32Array(buffer, byteOffset, length * pictures.length) : null;
}

/** The way back for a gradient: by the picture's own values, not by the normalised ones. */
export function readGradient(gradient: Float32Array, input: Input): Float32Array {
  const out = new Float32Array(gradient.length);
  for (const { from, to, step, std } of planes(input))
    for (let i = 0; i < input.width * input.height; i++)
      out[from + i] = (gradient[to + i * step] as number) / std;
  return out;
}

/** A picture out of a tensor in the same order; its values are not touched. */
export function readPicture(values: Float32Array, input: Input, into: Float32Array): void {
  for (const { from, to, step } of planes(input))
    for (let i = 0; i < input.width * input.height; i++) into[from + i] = values[to + i * step] as number;
}

export const inputDims = ({ width, height, layout }: Input, batch: number): number[] =>
  layout === 'NCHW' ? [batch, CHANNELS, height, width] : [batch, height, width, CHANNELS];

const isPlain = ({ layout, channels, mean, std }: Input): boolean =>
  layout === 'NCHW' &&
  channels === 'RGB' &&
  mean.every((value) => value === 0) &&
  std.every((value) => value === 1);

/** For each colour of a picture: where it begins there and in the tensor, and how far apart its values are. */
const planes = ({ width, height, layout, channels, mean, std }: Input) =>
  [0, 1, 2].map((channel) => {
    const place = channels === 'RGB' ? channel : CHANNELS - 1 - channel;
    const isPlanar = layout === 'NCHW';
    return {
      from: channel * width * height,
      to: isPlanar ? place * width * height : place,
      step: isPlanar ? 1 : CHANNELS,
      mean: mean[channel] as number,
      std: std[channel] as number,
    };
  });
