import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { invalid } from '@/lib/core/errors';
import type { Gradients } from '@/lib/core/robustness/model-runner';
import { checkWeights } from '@/lib/core/robustness/onnx/check-contract';
import type { ModelContract } from '@/lib/core/robustness/onnx/contract';
import { fedInputs, readModel } from '@/lib/core/robustness/onnx/read-model';
import type { Picture } from '@/lib/core/robustness/picture';
import { inputDims, readGradient, writePicture } from './input-tensor';
import { openSession, rowsOf } from './open-session';

const INPUTS = ['image', 'seed', 'share'];
const OUTPUTS = ['logits', 'gradient'];
const MAP = 'feature_gradient';

/** The graph that the trainer writes beside a model: picture and weights of logits in, gradients out. */
export class GradientSession {
  private constructor(
    private readonly session: InferenceSession,
    private readonly contract: ModelContract,
    readonly hasMap: boolean,
  ) {}

  static async open(bytes: Uint8Array, contract: ModelContract): Promise<GradientSession> {
    const model = readModel(bytes);
    checkWeights(model);
    const missing =
      INPUTS.find((name) => !fedInputs(model).some((input) => input.name === name)) ??
      OUTPUTS.find((name) => !model.outputs.some((output) => output.name === name));
    if (missing)
      throw invalid(
        `The gradient graph has no "${missing}". It takes ${INPUTS.join(', ')} and gives ${OUTPUTS.join(', ')}.`,
      );
    const hasMap = model.outputs.some(({ name }) => name === MAP);
    return new GradientSession(await openSession(bytes), contract, hasMap);
  }

  async run(picture: Picture, seed: Float32Array, share = 0): Promise<Gradients> {
    const { input, classes } = this.contract;
    const data = new Float32Array(picture.data.length);
    writePicture(picture, input, data);
    const found = await this.session.run(
      {
        image: new Tensor('float32', data, inputDims(input, 1)),
        seed: new Tensor('float32', Float32Array.from(seed), [1, classes.length]),
        share: new Tensor('float32', Float32Array.of(share), [1]),
      },
      this.hasMap ? [...OUTPUTS, MAP] : OUTPUTS,
    );
    const [logits] = rowsOf(found, 'logits', [1, classes.length]).rows as [Float32Array];
    const [gradient] = rowsOf(found, 'gradient', inputDims(input, 1)).rows as [Float32Array];
    const map = this.hasMap ? rowsOf(found, MAP, [1, null, null, null]) : null;
    const [, channels = 0, height = 0, width = 0] = map?.dims ?? [];
    return {
      logits,
      gradient: readGradient(gradient, input),
      features: map && { channels, height, width, data: map.rows[0] as Float32Array },
    };
  }

  release(): Promise<void> {
    return this.session.release();
  }
}
