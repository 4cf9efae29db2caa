import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { invalid } from '@/lib/core/errors';
import { asLogits, type OutputKind } from '@/lib/core/robustness/logits';
import { checkWeights } from '@/lib/core/robustness/onnx/check-contract';
import type { ModelContract } from '@/lib/core/robustness/onnx/contract';
import { cutTail } from '@/lib/core/robustness/onnx/edit-model';
import { fedInputs, type OnnxModel, readModel } from '@/lib/core/robustness/onnx/read-model';
import type { Picture } from '@/lib/core/robustness/picture';
import type { FeatureMap } from '@/lib/core/robustness/saliency/maps';
import type { GradientOutput } from '@/lib/core/robustness/types';
import { inputDims, openSession, readGradient, rowsOf, writePicture } from './picture-session';

const INPUTS = ['image', 'seed', 'share'];
const OUTPUTS = ['logits', 'gradient'];
const MAP = 'feature_gradient';

/** Session of the gradient graph that the trainer exports: picture and gradient seed in, gradients out. */
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

  async run(picture: Picture, seed: Float32Array, share = 0): Promise<GradientOutput> {
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

interface TailPlan {
  from: string;
  to: string;
  map: { channels: number; height: number; width: number };
  classes: number;
  kind: OutputKind;
  batch: number;
  isFixed: boolean;
}

/** Session from feature maps to logits, opened on first use. */
export class TailSession {
  #session: Promise<InferenceSession> | undefined;

  private constructor(
    private readonly bytes: Uint8Array,
    private readonly plan: TailPlan,
  ) {}

  /** Null if the logits do not depend on this map alone. */
  static cut(model: OnnxModel, plan: TailPlan): TailSession | null {
    const { channels, height, width } = plan.map;
    try {
      const shape = [plan.isFixed ? plan.batch : null, channels, height, width];
      return new TailSession(cutTail(model, plan.from, plan.to, shape), plan);
    } catch {
      return null;
    }
  }

  async run(maps: readonly FeatureMap[]): Promise<Float32Array[]> {
    this.#session ??= openSession(this.bytes);
    const session = await this.#session;
    const { from, to, classes, kind, batch, isFixed, map } = this.plan;
    const size = map.channels * map.height * map.width;
    const said: Float32Array[] = [];
    for (let at = 0; at < maps.length; at += batch) {
      const some = maps.slice(at, at + batch);
      const count = isFixed ? batch : some.length;
      const data = new Float32Array(count * size);
      some.forEach((each, i) => {
        data.set(each.data, i * size);
      });
      const dims = [count, map.channels, map.height, map.width];
      const found = await session.run({ [from]: new Tensor('float32', data, dims) }, [to]);
      const { rows } = rowsOf(found, to, [count, classes]);
      said.push(...rows.slice(0, some.length).map((row) => asLogits(row, kind)));
    }
    return said;
  }

  async release(): Promise<void> {
    await (await this.#session)?.release();
  }
}
