import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { checkWeights } from '@/lib/core/robustness/onnx/check-contract';
import { hasExternalData } from '@/lib/core/robustness/onnx/find-external';
import type { ServingContract } from '../serving-contract';
import { masksFromLogits } from './masks-from-logits';
import { writeInput } from './seen-picture';
import { seenWindow } from './view-window';

export interface Picture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** What a model says about one picture. */
export interface Prediction {
  className: string;
  scores: number[];
  uncertainty: number;
  masks: Record<string, string>;
  feature: number[] | null;
}

/** More threads would take cores from interactive requests. */
const MAX_THREADS = 2;
/** Of a pooled feature map; no usual backbone has more channels. */
const MAX_FEATURES = 4096;

export class ServedModel {
  readonly #session: InferenceSession;
  readonly #contract: ServingContract;

  private constructor(session: InferenceSession, contract: ServingContract) {
    this.#session = session;
    this.#contract = contract;
  }

  static async open(file: string, contract: ServingContract): Promise<ServedModel> {
    const model = await readFile(file);
    checkWeights({ isExternal: hasExternalData(model) });
    const session = await InferenceSession.create(model, {
      executionProviders: ['cpu'],
      intraOpNumThreads: Math.min(MAX_THREADS, os.availableParallelism()),
      logSeverityLevel: 3,
    });
    const { input, outputs } = contract;
    if (!session.inputNames.includes(input.name)) throw new Error(`the file has no input "${input.name}"`);
    const missing = [outputs.logits, outputs.masks, outputs.features].find(
      (name) => name !== null && !session.outputNames.includes(name),
    );
    if (missing) throw new Error(`the file has no output "${missing}"`);
    return new ServedModel(session, contract);
  }

  /** Null of a picture that cannot be read. */
  async predict(pictures: readonly Picture[]): Promise<(Prediction | null)[]> {
    const [first] = this.#session.inputMetadata.filter(({ name }) => name === this.#contract.input.name);
    const isFixed = first?.isTensor && typeof first.shape[0] === 'number' && first.shape[0] > 0;
    if (!isFixed) return this.#run(pictures);
    if (first.shape[0] !== 1)
      throw new Error(`the file takes ${first.shape[0]} pictures at a time, not any number`);
    const said: (Prediction | null)[] = [];
    for (const picture of pictures) said.push(...(await this.#run([picture])));
    return said;
  }

  async #run(all: readonly Picture[]): Promise<(Prediction | null)[]> {
    const { input, outputs, outputKind, classes, channels } = this.#contract;
    const size = 3 * input.side * input.side;
    const data = new Float32Array(all.length * size);
    const pictures: Picture[] = [];
    for (const picture of all) {
      const at = pictures.length * size;
      const isRead = await writeInput(picture.bytes, input, data.subarray(at, at + size)).then(
        () => true,
        () => false,
      );
      if (isRead) pictures.push(picture);
    }
    if (pictures.length === 0) return all.map(() => null);
    const found = await this.#session.run({
      [input.name]: new Tensor('float32', data.subarray(0, pictures.length * size), [
        pictures.length,
        ...(input.layout === 'NCHW' ? [3, input.side, input.side] : [input.side, input.side, 3]),
      ]),
    });
    const n = pictures.length;
    const logits = output(found, outputs.logits, [n, classes.length]);
    const masks = outputs.masks && output(found, outputs.masks, [n, channels.length + 1, null, null]);
    const features = outputs.features && output(found, outputs.features, [n]);
    return all.map((picture) => {
      const at = pictures.indexOf(picture);
      if (at < 0) return null;
      const scores = outputKind === 'probs' ? Array.from(logits.row(at)) : softmax(logits.row(at));
      const best = scores.indexOf(Math.max(...scores));
      const window = seenWindow(input, picture);
      const channelsOf = features ? (features.dims[1] ?? 0) : 0;
      return {
        className: classes[best] as string,
        scores,
        uncertainty: uncertaintyOf(scores),
        masks: masks
          ? masksFromLogits(
              { data: masks.row(at), height: masks.dims[2] as number, width: masks.dims[3] as number },
              channels,
              window,
              picture,
            )
          : {},
        feature:
          features && channelsOf > 0 && channelsOf <= MAX_FEATURES
            ? pooled(features.row(at), channelsOf)
            : null,
      };
    });
  }
}

interface Output {
  dims: readonly number[];
  /** The numbers of one picture. */
  row(at: number): Float32Array;
}

/** An output of the shape that the contract promises, with numbers only. */
function output(found: Record<string, Tensor>, name: string, shape: readonly (number | null)[]): Output {
  const tensor = found[name];
  const isRight =
    tensor?.type === 'float32' && shape.every((side, at) => side === null || tensor.dims[at] === side);
  if (!tensor || !isRight || (shape.length > 1 && tensor.dims.length !== shape.length))
    throw new Error(
      `the output "${name}" is ${tensor ? `${tensor.type} ${tensor.dims.join(' × ')}` : 'missing'}, not float32 ${shape.map((side) => side ?? 'any').join(' × ')}`,
    );
  const data = tensor.data as Float32Array;
  if (!data.every(Number.isFinite)) throw new Error(`the output "${name}" holds what is no number`);
  const size = data.length / (tensor.dims[0] as number);
  return { dims: tensor.dims, row: (at) => data.subarray(at * size, (at + 1) * size) };
}

/** Probabilities from logits. */
export function softmax(logits: ArrayLike<number>): number[] {
  const list = Array.from(logits);
  const highest = Math.max(...list);
  const powers = list.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

/** Entropy in units of the greatest possible: 0 where one class is certain, 1 where all are as likely. */
export function uncertaintyOf(scores: readonly number[]): number {
  if (scores.length < 2) return 0;
  const entropy = scores.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
  return Math.min(1, Math.max(0, entropy / Math.log(scores.length)));
}

/** The mean of each channel of a feature map. */
export function pooled(features: ArrayLike<number>, channels: number): number[] {
  const area = features.length / channels;
  return Array.from({ length: channels }, (_, channel) => {
    let sum = 0;
    for (let at = channel * area; at < (channel + 1) * area; at++) sum += features[at] as number;
    return sum / area;
  });
}
