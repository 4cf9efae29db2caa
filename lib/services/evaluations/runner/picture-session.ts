import { InferenceSession, Tensor } from 'onnxruntime-node';
import { invalid } from '@/lib/core/errors';
import { checkWeights } from '@/lib/core/robustness/onnx/check-contract';
import type { ModelContract, PictureInput } from '@/lib/core/robustness/onnx/contract';
import { hasExternalData } from '@/lib/core/robustness/onnx/find-external';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';
import { firstLineOf } from '@/lib/services/inference/serve-child';

/** What a model gave for one picture. */
export interface PictureOutputs {
  logits: Float32Array;
  /** Channels, rows, columns; null unless it was asked for. */
  map: { data: Float32Array; dims: readonly number[] } | null;
}

/** What goes in, and the output with so many numbers for each picture. */
interface PictureNumbers {
  input: PictureInput;
  output: string;
  length: number;
}

/** A session that is fed with pictures, some at a time. */
export class PictureSession {
  constructor(
    private readonly session: InferenceSession,
    private readonly contract: PictureNumbers,
    private readonly batch: number,
    /** The file takes just so many pictures. */
    private readonly isFixed: boolean,
  ) {}

  async run(pictures: readonly Picture[], map: string | null): Promise<PictureOutputs[]> {
    const said: PictureOutputs[] = [];
    for (let at = 0; at < pictures.length; at += this.batch)
      said.push(...(await this.#runSome(pictures.slice(at, at + this.batch), map)));
    return said;
  }

  release(): Promise<void> {
    return this.session.release();
  }

  async #runSome(pictures: readonly Picture[], map: string | null): Promise<PictureOutputs[]> {
    const { input, output, length } = this.contract;
    // Beside too few there are empty ones.
    const count = this.isFixed ? this.batch : pictures.length;
    for (const { width, height } of pictures)
      if (width !== input.width || height !== input.height)
        throw invalid(
          `A picture is ${width} × ${height}, and the model takes ${input.width} × ${input.height}.`,
        );
    const data =
      (count === pictures.length ? viewAsInput(pictures, input) : null) ?? written(pictures, input, count);
    const found = await this.session.run(
      { [input.name]: new Tensor('float32', data, inputDims(input, count)) },
      map ? [output, map] : [output],
    );
    const logits = rowsOf(found, output, [count, length]);
    const maps = map ? rowsOf(found, map, [count, null, null, null]) : null;
    return pictures.map((_, i) => ({
      logits: logits.rows[i] as Float32Array,
      map: maps && { data: maps.rows[i] as Float32Array, dims: maps.dims.slice(1) },
    }));
  }
}

function written(pictures: readonly Picture[], input: PictureInput, count: number): Float32Array {
  const size = CHANNELS * input.width * input.height;
  const data = new Float32Array(count * size);
  pictures.forEach((picture, i) => {
    writePicture(picture, input, data.subarray(i * size, (i + 1) * size));
  });
  return data;
}

/**
 * One thread each: several models side by side use the cores better than several threads of one, and sums are made in
 * the same order on every machine of a kind.
 */
export async function openSession(bytes: Uint8Array): Promise<InferenceSession> {
  checkWeights({ isExternal: hasExternalData(bytes) });
  try {
    return await InferenceSession.create(bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
    });
  } catch (error) {
    throw invalid(`The model does not open: ${firstLineOf(error)}. Export it again with a usual opset.`);
  }
}

/** An output of the shape that was promised, row by row. */
export function rowsOf(
  found: Record<string, Tensor>,
  name: string,
  shape: readonly (number | null)[],
): { dims: readonly number[]; rows: Float32Array[] } {
  const tensor = found[name];
  const isRight =
    tensor?.type === 'float32' &&
    tensor.dims.length === shape.length &&
    shape.every((side, i) => side === null || tensor.dims[i] === side);
  if (!tensor || !isRight)
    throw invalid(
      `The output "${name}" is ${tensor ? `${tensor.type} ${tensor.dims.join(' × ')}` : 'missing'}, not float32 ${shape.map((side) => side ?? 'any').join(' × ')}.`,
    );
  // Copied, all at once: the runtime may use its memory again.
  const data = (tensor.data as Float32Array).slice();
  const count = tensor.dims[0] as number;
  const size = data.length / count;
  return {
    dims: tensor.dims,
    rows: Array.from({ length: count }, (_, i) => data.subarray(i * size, (i + 1) * size)),
  };
}

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
function viewAsInput(pictures: readonly Picture[], input: Input): Float32Array | null {
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
