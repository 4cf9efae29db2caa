import { InferenceSession, Tensor } from 'onnxruntime-node';
import { invalid } from '@/lib/core/errors';
import { checkWeights } from '@/lib/core/robustness/onnx/check-contract';
import type { ModelContract, PictureInput } from '@/lib/core/robustness/onnx/contract';
import { hasExternalData } from '@/lib/core/robustness/onnx/find-external';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';
import { firstLineOf } from '../serve-child';

/** Model output for one picture. */
export interface PictureOutputs {
  logits: Float32Array;
  /** Feature map (channels, rows, columns); null unless requested. */
  map: { data: Float32Array; dims: readonly number[] } | null;
}

/** Input and output of a session, with the output length per picture. */
interface PictureNumbers {
  input: PictureInput;
  output: string;
  length: number;
}

/** Session that runs pictures in batches. */
export class PictureSession {
  constructor(
    private readonly session: InferenceSession,
    private readonly contract: PictureNumbers,
    private readonly batch: number,
    /** The batch size is fixed by the file. */
    private readonly isFixed: boolean,
  ) {}

  async run(pictures: readonly Picture[], map: string | null): Promise<PictureOutputs[]> {
    const outputs: PictureOutputs[] = [];
    for (let at = 0; at < pictures.length; at += this.batch)
      outputs.push(...(await this.#runSome(pictures.slice(at, at + this.batch), map)));
    return outputs;
  }

  release(): Promise<void> {
    return this.session.release();
  }

  async #runSome(pictures: readonly Picture[], map: string | null): Promise<PictureOutputs[]> {
    const { input, output, length } = this.contract;
    // Incomplete batches are padded with zeros.
    const count = this.isFixed ? this.batch : pictures.length;
    for (const { width, height } of pictures)
      if (width !== input.width || height !== input.height)
        throw invalid(
          `The picture has ${width} × ${height} pixels, the model expects ${input.width} × ${input.height}.`,
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
 * One thread per session: several processes use the cores better than several threads, and summation order is
 * deterministic.
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
    throw invalid(
      `The model cannot be opened: ${firstLineOf(error)}. Export it again with a supported opset.`,
    );
  }
}

/** Checks the shape of an output and splits it into rows. */
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
  // Copied, because the runtime can reuse its memory.
  const data = (tensor.data as Float32Array).slice();
  const count = tensor.dims[0] as number;
  const size = data.length / count;
  return {
    dims: tensor.dims,
    rows: Array.from({ length: count }, (_, i) => data.subarray(i * size, (i + 1) * size)),
  };
}

type Input = ModelContract['input'];

/** Writes a picture into an input tensor, normalised and in the layout of the model. */
export function writePicture({ data }: Picture, input: Input, into: Float32Array): void {
  // Models of the trainer normalise in the graph.
  if (isPlain(input)) {
    into.set(data);
    return;
  }
  for (const { from, to, step, mean, std } of planes(input))
    for (let i = 0; i < input.width * input.height; i++)
      into[to + i * step] = ((data[from + i] as number) - mean) / std;
}

/** Returns adjacent pictures as an input tensor without copying; null if that is not possible. */
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

/** Backward pass of `writePicture`: converts a gradient to picture values. */
export function readGradient(gradient: Float32Array, input: Input): Float32Array {
  const out = new Float32Array(gradient.length);
  for (const { from, to, step, std } of planes(input))
    for (let i = 0; i < input.width * input.height; i++)
      out[from + i] = (gradient[to + i * step] as number) / std;
  return out;
}

/** Reads a picture from a tensor without denormalisation. */
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

/** Offsets and stride of each colour plane in the picture and the tensor. */
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
