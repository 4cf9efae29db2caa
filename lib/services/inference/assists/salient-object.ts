import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { Mask } from '@/lib/core/mask';
import { imageTensor } from './image-tensor';
import type { Models } from './model-files';
import { inputSide, openSession } from './open-session';
import { saliencyMask } from './outputs';
import { readPixels } from './read-pixels';
import type { AssistPicture } from './segment-anything';

/** The object that a picture is about, without being shown where it is (U²-Net, Qin et al. 2020). */
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
    return new SalientObject(files.name, network, inputSide(network, files.network.file));
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
