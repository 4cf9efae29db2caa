import { parentPort } from 'node:worker_threads';
import { inTurn } from '@/lib/core/concurrency';
import type { Picture } from '@/lib/core/robustness/picture';
import type { FeatureMap } from '@/lib/core/robustness/saliency/maps';
import type { ModelRunner } from '@/lib/core/robustness/types';
import { type ChildRequest, createReply } from '../serve-child';
import type { ThreadReply } from './model-child';
import { type ModelSource, openModel } from './open-model';
import { isPictureBatch, type PictureBatch, splitBatch } from './shared-pictures';

/** Serializable description of a model: its properties and supported functions. */
export interface Abilities
  extends Pick<ModelRunner, 'classes' | 'width' | 'height' | 'kind' | 'map' | 'head' | 'hasMapGradient'> {
  features: boolean;
  tail: boolean;
  gradient: boolean;
}

/** Pictures of a request: in the message, or as transferred memory. */
type Shown = Picture[] | PictureBatch;

let model: ModelRunner | undefined;
const turn = inTurn();

parentPort?.on('message', ({ id, call, payload }: ChildRequest) => {
  void turn(async () => {
    const reply: ThreadReply = await createReply(id, () => answer(call, payload));
    if (isPictureBatch(payload))
      parentPort?.postMessage({ ...reply, memory: payload.memory }, [payload.memory.buffer]);
    else parentPort?.postMessage(reply);
  });
});

async function answer(call: string, payload: unknown): Promise<unknown> {
  if (call === 'open') return open(payload as ModelSource);
  if (!model) throw new Error('The model is not open.');
  const { logits, features, tail, gradient } = model;
  switch (call) {
    case 'logits':
      return joined(await logits(picturesOf(payload as Shown)));
    case 'features':
      return features?.(picturesOf(payload as Shown));
    case 'tail':
      return tail?.(payload as FeatureMap[]);
    case 'gradient': {
      const { picture, seed, share } = payload as { picture: Picture; seed: Float32Array; share: number };
      return gradient?.(picture, seed, share);
    }
    default:
      throw new Error(`There is no call ${call}.`);
  }
}

const picturesOf = (shown: Shown): Picture[] => (isPictureBatch(shown) ? splitBatch(shown) : shown);

/** Concatenates rows, because many small arrays are slow to serialize. Rows of one batch are already adjacent. */
function joined(rows: readonly Float32Array[]): Float32Array {
  const [first] = rows;
  const length = first?.length ?? 0;
  if (
    first &&
    first.buffer.byteLength === rows.length * first.byteLength &&
    rows.at(-1)?.buffer === first.buffer
  )
    return new Float32Array(first.buffer);
  const all = new Float32Array(length * rows.length);
  rows.forEach((row, i) => {
    all.set(row, i * length);
  });
  return all;
}

async function open(source: ModelSource): Promise<Abilities> {
  model = await openModel(source);
  const { classes, width, height, kind, map, head, hasMapGradient } = model;
  return {
    ...{ classes, width, height, kind, map, head, hasMapGradient },
    features: model.features !== null,
    tail: model.tail !== null,
    gradient: model.gradient !== null,
  };
}
