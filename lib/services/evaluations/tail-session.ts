import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { cutTail } from '@/lib/core/robustness/onnx/cut-tail';
import { asLogits, type OutputKind } from '@/lib/core/robustness/onnx/output-kind';
import type { OnnxModel } from '@/lib/core/robustness/onnx/read-model';
import type { FeatureMap } from '@/lib/core/robustness/saliency/class-map';
import { openSession, rowsOf } from './open-session';

export interface TailPlan {
  from: string;
  to: string;
  map: { channels: number; height: number; width: number };
  classes: number;
  kind: OutputKind;
  batch: number;
  isFixed: boolean;
}

/** From maps to logits; opened when it is first asked. */
export class TailSession {
  #session: Promise<InferenceSession> | undefined;

  private constructor(
    private readonly bytes: Uint8Array,
    private readonly plan: TailPlan,
  ) {}

  /** Null where the logits are not made of this map alone. */
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
