import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { Mask } from '@/lib/core/mask';
import { fitWithin, type Size } from './frame';
import { imageTensor } from './image-tensor';
import type { Models } from './model-files';
import { inputSide, openSession } from './open-session';
import { samMask } from './outputs';
import type { PlacePrompt } from './prompt';
import { readPixels } from './read-pixels';
import { Recent } from './recent';
import { samPrompt } from './sam-prompt';

export interface AssistPicture {
  /** Identifies the picture in the cache of embeddings. */
  key: string;
  bytes: Uint8Array;
  /** Of the upright image, which the bytes may show at a smaller scale. */
  size: Size;
}

/** Pictures whose embedding is kept, at 4 MB each. */
const KEPT = 48;
/** Of the low-resolution mask that a decoder could start from; there is none. */
const LOW_SIDE = 256;

/** The standard ONNX interface of Segment Anything: an encoder once per picture, a decoder for each prompt. */
export class SegmentAnything {
  readonly name: string;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #side: number;
  readonly #embeddings = new Recent<Tensor>(KEPT);

  private constructor(name: string, encoder: InferenceSession, decoder: InferenceSession, side: number) {
    this.name = name;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#side = side;
  }

  static async open(files: NonNullable<Models['segmentAnything']>): Promise<SegmentAnything> {
    const { session: encoder, fingerprint } = await openSession(files.encoder);
    const { session: decoder } = await openSession(files.decoder);
    // A file of the operator's own is told by its content: the same name may be another model tomorrow.
    const name = files.encoder.sha256 === null ? `${files.name}@${fingerprint.slice(0, 12)}` : files.name;
    return new SegmentAnything(name, encoder, decoder, inputSide(encoder, files.encoder.file));
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
    // Asking for the mask at the encoder's scale bounds the memory, however large the picture is.
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
