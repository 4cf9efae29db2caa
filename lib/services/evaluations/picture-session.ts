import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { invalid } from '@/lib/core/errors';
import type { PictureInput } from '@/lib/core/robustness/onnx/contract';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';
import { asInput, inputDims, writePicture } from './input-tensor';
import { rowsOf } from './open-session';

/** What a model gave for one picture. */
export interface PictureOutputs {
  logits: Float32Array;
  /** Channels, rows, columns; null unless it was asked for. */
  map: { data: Float32Array; dims: readonly number[] } | null;
}

/** What goes in, and the output with so many numbers for each picture. */
export interface PictureNumbers {
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
      (count === pictures.length ? asInput(pictures, input) : null) ?? written(pictures, input, count);
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
