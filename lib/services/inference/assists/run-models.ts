import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeCounts, type Mask } from '@/lib/core/mask';
import { type Embedding, evictEmbeddings, readEmbedding, writeEmbedding } from './embedding-files';
import { LeastRecentlyUsed } from './least-recently-used';
import type { ModelFile, Models } from './model-files';
import { openSession, readInputSide } from './open-session';
import type { PlacePrompt } from './prompt';
import { type AssistPicture, SamDecoder, SamEncoder } from './segment-anything';
import { imageTensor, readPixels, type Size, saliencyMask } from './tensors';

/** A request to a model process. Embeddings pass from the encoding to the decoding process as files. */
export type ModelCall =
  | {
      kind: 'encode';
      encoder: ModelFile;
      picture: AssistPicture;
      /** Where the embedding is stored, and the size of its folder. */
      file: string;
      folder: string;
      maxBytes: number;
    }
  | { kind: 'decode'; decoder: ModelFile; file: string; prompts: readonly PlacePrompt[]; size: Size }
  | { kind: 'main-object'; network: ModelFile; picture: AssistPicture };

export interface ModelOutcome {
  /** Compressed COCO counts of the upright image with the model's estimate of the IoU. Null: the embedding is missing. */
  masks: { counts: string; score: number }[] | null;
}

/** Embeddings in the memory of the decoding process: 15 of SAM 2, or 60 of its predecessor. */
const MEMORY_BYTES = 256e6;

/** Opens each model on first use, and again if its file changes. */
export class ModelRunner {
  readonly #encoder = new OpenedModel<SamEncoder>();
  readonly #decoder = new OpenedModel<SamDecoder>();
  readonly #salientObject = new OpenedModel<SalientObject>();
  readonly #embeddings = new LeastRecentlyUsed<Embedding>(MEMORY_BYTES, bytesOf);

  async answer(call: ModelCall): Promise<ModelOutcome> {
    switch (call.kind) {
      case 'encode': {
        const encoder = await this.#encoder.get(call.encoder, SamEncoder.open);
        await writeEmbedding(call.file, await encoder.encode(call.picture));
        await evictEmbeddings(call.folder, call.maxBytes);
        return { masks: [] };
      }
      case 'decode': {
        const embedding = await this.#embeddings.find(call.file, () => readEmbedding(call.file));
        if (!embedding) return { masks: null };
        const decoder = await this.#decoder.get(call.decoder, SamDecoder.open);
        const found = await decoder.decode(embedding, call.prompts, call.size);
        return { masks: found.map(({ mask, score }) => ({ counts: encodeCounts(mask), score })) };
      }
      case 'main-object': {
        const network = await this.#salientObject.get(call.network, (file) => SalientObject.open(file));
        return { masks: [{ counts: encodeCounts(await network.segment(call.picture)), score: 1 }] };
      }
    }
  }
}

const bytesOf = ({ tensors }: Embedding): number =>
  tensors.reduce((sum, { data }) => sum + data.byteLength, 0);

class OpenedModel<Model> {
  #current: { place: string; model: Promise<Model> } | undefined;

  get(file: ModelFile, open: (file: ModelFile) => Promise<Model>): Promise<Model> {
    const place = `${file.file}\n${file.sha256}`;
    if (this.#current?.place === place) return this.#current.model;
    const model = open(file);
    this.#current = { place, model };
    // Retry opening on the next request.
    model.catch(() => {
      this.#current = undefined;
    });
    return model;
  }
}

/** Salient object segmentation without a prompt (U²-Net, Qin et al. 2020). */
export class SalientObject {
  readonly #network: InferenceSession;
  readonly #side: number;

  private constructor(network: InferenceSession, side: number) {
    this.#network = network;
    this.#side = side;
  }

  static async open(file: NonNullable<Models['salientObject']>['network']): Promise<SalientObject> {
    const network = await openSession(file);
    return new SalientObject(network, readInputSide(network, file.file));
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
