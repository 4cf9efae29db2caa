import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeCounts, type Mask } from '@/lib/core/mask';
import { sha256Of } from '@/lib/services/storage/blobs';
import type { ModelFile, Models } from './model-files';
import { type LivePrompt, type PlacePrompt, samPrompt } from './prompt';
import { fitWithin, imageTensor, readPixels, type Size, saliencyMask, samMask } from './tensors';

/** Null computes the embedding before the first prompt. */
export interface ModelQuestion {
  models: Models;
  picture: AssistPicture;
  prompt: LivePrompt | null;
}

export interface ModelAnswer {
  /** Compressed COCO counts of the upright image; null for a preparation request. */
  counts: string | null;
  model: string;
}

/** Opens each model on first use, and again if its paths change. */
export class ModelRunner {
  readonly #segmentAnything = new OpenedModel<SegmentAnything>();
  readonly #salientObject = new OpenedModel<SalientObject>();

  async answer({ models, picture, prompt }: ModelQuestion): Promise<ModelAnswer> {
    if (prompt?.kind === 'main-object') {
      const files = models.salientObject;
      if (!files) throw new Error('There is no model for the main object.');
      const model = await this.#salientObject.get(files.network.file, () => SalientObject.open(files));
      return answered(await model.segment(picture), model.name);
    }
    const files = models.segmentAnything;
    if (!files) throw new Error('There is no Segment Anything model.');
    const place = `${files.encoder.file}\n${files.decoder.file}`;
    const model = await this.#segmentAnything.get(place, () => SegmentAnything.open(files));
    if (prompt) return answered(await model.segment(picture, prompt), model.name);
    await model.embed(picture);
    return { counts: null, model: model.name };
  }
}

class OpenedModel<Model> {
  #current: { place: string; model: Promise<Model> } | undefined;

  get(place: string, open: () => Promise<Model>): Promise<Model> {
    if (this.#current?.place === place) return this.#current.model;
    const model = open();
    this.#current = { place, model };
    // Retry opening on the next request.
    model.catch(() => {
      this.#current = undefined;
    });
    return model;
  }
}

const answered = (mask: Mask, model: string): ModelAnswer => ({ counts: encodeCounts(mask), model });

/** Salient object segmentation without a prompt (U²-Net, Qin et al. 2020). */
export class SalientObject {
  readonly name: string;
  readonly #network: InferenceSession;
  readonly #side: number;

  private constructor(name: string, network: InferenceSession, side: number) {
    this.name = name;
    this.#network = network;
    this.#side = side;
  }

  static async open(files: NonNullable<Models['salientObject']>): Promise<SalientObject> {
    const { session: network } = await openSession(files.network);
    return new SalientObject(files.name, network, readInputSide(network, files.network.file));
  }

  async segment({ bytes, size }: AssistPicture): Promise<Mask> {
    const frame = { width: this.#side, height: this.#side };
    const pixels = imageTensor(await readPixels(bytes, frame), frame, this.#side);
    const input = new Tensor('float32', pixels, [1, 3, this.#side, this.#side]);
    const outputs = await this.#network.run({ [this.#network.inputNames[0] as string]: input });
    const saliency = outputs[this.#network.outputNames[0] as string] as Tensor;
    return saliencyMask(saliency.data as Float32Array, this.#side, size);
  }
}

export interface AssistPicture {
  /** Identifies the picture in the cache of embeddings. */
  key: string;
  bytes: Uint8Array;
  /** Of the upright image, which the bytes may show at a smaller scale. */
  size: Size;
}

/** Number of cached embeddings of 4 MB each. */
const KEPT = 48;
/** Of the low-resolution mask that a decoder could start from; there is none. */
const LOW_SIDE = 256;

/** The standard ONNX interface of Segment Anything: an encoder once per picture, a decoder for each prompt. */
export class SegmentAnything {
  readonly name: string;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #side: number;
  readonly #embeddings = new LeastRecentlyUsed<Tensor>(KEPT);

  private constructor(name: string, encoder: InferenceSession, decoder: InferenceSession, side: number) {
    this.name = name;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#side = side;
  }

  static async open(files: NonNullable<Models['segmentAnything']>): Promise<SegmentAnything> {
    const { session: encoder, fingerprint } = await openSession(files.encoder);
    const { session: decoder } = await openSession(files.decoder);
    // Custom files are identified by content, because the file behind a name can change.
    const name = files.encoder.sha256 === null ? `${files.name}@${fingerprint.slice(0, 12)}` : files.name;
    return new SegmentAnything(name, encoder, decoder, readInputSide(encoder, files.encoder.file));
  }

  async embed(picture: AssistPicture): Promise<Tensor> {
    return this.#embeddings.get(picture.key, async () => {
      const frame = fitWithin(picture.size, this.#side);
      const pixels = imageTensor(await readPixels(picture.bytes, frame), frame, this.#side);
      const input = new Tensor('float32', pixels, [1, 3, this.#side, this.#side]);
      return first(
        await this.#encoder.run({ [this.#encoder.inputNames[0] as string]: input }),
        this.#encoder,
      );
    });
  }

  async segment(picture: AssistPicture, prompt: PlacePrompt): Promise<Mask> {
    const embedding = await this.embed(picture);
    // The mask is computed at encoder scale, which bounds the memory.
    const frame = fitWithin(picture.size, this.#side);
    const { coordinates, labels } = samPrompt(prompt, picture.size, frame);
    const outputs = await this.#decoder.run({
      image_embeddings: embedding,
      point_coords: new Tensor('float32', coordinates, [1, labels.length, 2]),
      point_labels: new Tensor('float32', labels, [1, labels.length]),
      mask_input: new Tensor('float32', new Float32Array(LOW_SIDE * LOW_SIDE), [1, 1, LOW_SIDE, LOW_SIDE]),
      has_mask_input: new Tensor('float32', new Float32Array(1), [1]),
      orig_im_size: new Tensor('float32', Float32Array.of(frame.height, frame.width), [2]),
    });
    const masks = outputs.masks as Tensor;
    const guesses = outputs.iou_predictions as Tensor;
    return samMask(
      { data: masks.data as Float32Array, dims: masks.dims },
      guesses.data as Float32Array,
      picture.size,
    );
  }
}

function first(outputs: InferenceSession.ReturnType, session: InferenceSession): Tensor {
  return outputs[session.outputNames[0] as string] as Tensor;
}

/** LRU cache. */
export class LeastRecentlyUsed<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  async get(key: string, make: () => Promise<Value>): Promise<Value> {
    const value = this.#values.get(key) ?? (await make());
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value as string);
    return value;
  }
}

/** More threads hardly speed up one picture and take cores from other processes. */
const MAX_THREADS = 2;

/** Opens a session from the verified bytes. */
async function openSession({ file, sha256 }: ModelFile) {
  const bytes = await readFile(file);
  const fingerprint = sha256Of(bytes);
  if (sha256 !== null && fingerprint !== sha256)
    throw new Error(`${file} is not the file that was installed: its fingerprint differs.`);
  const session = await InferenceSession.create(bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: Math.min(MAX_THREADS, os.availableParallelism()),
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  });
  return { session, fingerprint };
}

/** Input size of a square, planar RGB network. */
function readInputSide(session: InferenceSession, file: string): number {
  const [input] = session.inputMetadata;
  const [, channels, height, width] = input?.isTensor ? input.shape : [];
  if (channels !== 3 || height !== width || typeof height !== 'number')
    throw new Error(`${file} does not take 1 × 3 × side × side pixels, as a Segment Anything encoder does.`);
  return height;
}
