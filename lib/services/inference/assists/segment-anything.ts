import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { decodeCounts } from '@/lib/core/mask';
import type { Embedding, EmbeddingTensor } from './embedding-files';
import type { ModelFile } from './model-files';
import { openSession, readInputSide } from './open-session';
import { type PlacePrompt, placesOf, samPrompts } from './prompt';
import {
  fitWithin,
  imageTensor,
  maskLogits,
  readPixels,
  type ScoredMask,
  type Size,
  samMasks,
} from './tensors';

export interface AssistPicture {
  bytes: Uint8Array;
  /** Of the upright image, which the bytes may show at a smaller scale. */
  size: Size;
}

/** An output by which SAM 2 differs from the first Segment Anything. */
const FINE_FEATURES = 'high_res_feats_0';

/**
 * Encoder of Segment Anything or SAM 2. SAM 2 stretches the picture to a square; its predecessor keeps the proportions and
 * pads the square.
 */
export class SamEncoder {
  readonly #session: InferenceSession;
  readonly #side: number;

  private constructor(session: InferenceSession, side: number) {
    this.#session = session;
    this.#side = side;
  }

  static async open(file: ModelFile): Promise<SamEncoder> {
    const session = await openSession(file);
    return new SamEncoder(session, readInputSide(session, file.file));
  }

  async encode({ bytes, size }: AssistPicture): Promise<Embedding> {
    const side = this.#side;
    const { inputNames, outputNames } = this.#session;
    const frame = outputNames.includes(FINE_FEATURES) ? { width: side, height: side } : fitWithin(size, side);
    const pixels = imageTensor(await readPixels(bytes, frame), frame, side);
    const input = new Tensor('float32', pixels, [1, 3, side, side]);
    const outputs = await this.#session.run({ [inputNames[0] as string]: input });
    const tensors = outputNames.map((name): EmbeddingTensor => {
      const { data, dims } = outputs[name] as Tensor;
      return { name, dims: [...dims], data: data as Float32Array };
    });
    return { side, frame, tensors };
  }
}

/** Side of the low-resolution mask that a decoder can start from. */
const LOW_SIDE = 256;
/** Prompts per run of a decoder: bounds the memory. */
const BATCH = 16;

/** Decoder of Segment Anything or SAM 2: any number of prompts on one embedding. */
export class SamDecoder {
  readonly #session: InferenceSession;
  /** SAM 2 takes a batch of prompts, its predecessor one prompt at a time. */
  readonly #takesBatches: boolean;

  private constructor(session: InferenceSession) {
    this.#session = session;
    this.#takesBatches = session.inputNames.includes(FINE_FEATURES);
  }

  static async open(file: ModelFile): Promise<SamDecoder> {
    return new SamDecoder(await openSession(file));
  }

  async decode(embedding: Embedding, prompts: readonly PlacePrompt[], size: Size): Promise<ScoredMask[]> {
    const masks: ScoredMask[] = [];
    for (const group of this.#groups(prompts)) {
      const found = await this.#run(
        embedding,
        group.map((i) => prompts[i] as PlacePrompt),
        size,
      );
      for (const [n, i] of group.entries()) masks[i] = found[n] as ScoredMask;
    }
    return masks;
  }

  /**
   * Indices of prompts that can share a run: `has_mask_input` applies to all of them. They have the same number of points,
   * because points without a meaning that pad shorter prompts make the masks worse (docs/assists.md).
   */
  #groups(prompts: readonly PlacePrompt[]): number[][] {
    const all = prompts.map((_, i) => i);
    if (!this.#takesBatches) return all.map((i) => [i]);
    const groups = new Map<string, number[]>();
    for (const [i, prompt] of prompts.entries()) {
      const kind = `${placesOf(prompt).length} ${prompt.mask !== undefined}`;
      groups.set(kind, [...(groups.get(kind) ?? []), i]);
    }
    return [...groups.values()].flatMap(chunks);
  }

  async #run(embedding: Embedding, prompts: readonly PlacePrompt[], size: Size): Promise<ScoredMask[]> {
    const { frame } = embedding;
    const { length, coordinates, labels } = samPrompts(prompts, size, frame);
    const count = prompts.length;
    const hasMask = prompts[0]?.mask !== undefined;
    const outputs = await this.#session.run({
      ...this.#features(embedding),
      point_coords: new Tensor('float32', coordinates, [count, length, 2]),
      point_labels: new Tensor('float32', labels, [count, length]),
      mask_input: new Tensor('float32', maskInputs(prompts, size, embedding), [count, 1, LOW_SIDE, LOW_SIDE]),
      has_mask_input: new Tensor('float32', Float32Array.of(hasMask ? 1 : 0), [1]),
    });
    const masks = outputs.masks as Tensor;
    const estimates = outputs.iou_predictions as Tensor;
    return samMasks(
      { data: masks.data as Float32Array, dims: masks.dims },
      estimates.data as Float32Array,
      count,
      size,
    );
  }

  #features({ frame, tensors }: Embedding): Record<string, Tensor> {
    const byName = tensors.map(({ name, dims, data }) => [name, new Tensor('float32', data, dims)] as const);
    if (this.#takesBatches) return Object.fromEntries(byName);
    return {
      image_embeddings: byName[0]?.[1] as Tensor,
      // The mask is computed at the scale of the encoder, which bounds the memory.
      orig_im_size: new Tensor('float32', Float32Array.of(frame.height, frame.width), [2]),
    };
  }
}

function maskInputs(prompts: readonly PlacePrompt[], size: Size, embedding: Embedding): Float32Array {
  const plane = LOW_SIDE * LOW_SIDE;
  const inputs = new Float32Array(prompts.length * plane);
  for (const [i, { mask }] of prompts.entries())
    if (mask !== undefined)
      inputs.set(maskLogits(decodeCounts(mask, size.height, size.width), LOW_SIDE, embedding), i * plane);
  return inputs;
}

function chunks(list: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(list.length / BATCH) }, (_, i) =>
    list.slice(i * BATCH, (i + 1) * BATCH),
  );
}
