import { parentPort } from 'node:worker_threads';
import { inTurn } from '@/lib/core/concurrency';
import type { ModelRunner } from '@/lib/core/robustness/model-runner';
import type { Picture } from '@/lib/core/robustness/picture';
import type { FeatureMap } from '@/lib/core/robustness/saliency/class-map';
import type { ChildRequest } from '@/lib/services/inference/process/child-messages';
import { replyTo } from '@/lib/services/inference/process/serve-child';
import type { ThreadReply } from './asked-thread';
import { type ModelSource, openModel } from './session';
import { isRow, type PictureRow, picturesIn } from './shared-pictures';

/** What can be said of a model in a message: which of its functions there are. */
export interface Abilities
  extends Pick<ModelRunner, 'classes' | 'width' | 'height' | 'kind' | 'map' | 'head' | 'hasMapGradient'> {
  features: boolean;
  tail: boolean;
  gradient: boolean;
}

/** What a question about pictures comes with: in the message, or as memory that changes hands. */
type Shown = Picture[] | PictureRow;

let model: ModelRunner | undefined;
const turn = inTurn();

parentPort?.on('message', ({ id, call, given }: ChildRequest) => {
  void turn(async () => {
    const reply: ThreadReply = await replyTo(id, () => answer(call, given));
    if (isRow(given)) parentPort?.postMessage({ ...reply, memory: given.memory }, [given.memory.buffer]);
    else parentPort?.postMessage(reply);
  });
});

async function answer(call: string, given: unknown): Promise<unknown> {
  if (call === 'open') return open(given as ModelSource);
  if (!model) throw new Error('The model is not open.');
  const { logits, features, tail, gradient } = model;
  switch (call) {
    case 'logits':
      return joined(await logits(picturesOf(given as Shown)));
    case 'features':
      return features?.(picturesOf(given as Shown));
    case 'tail':
      return tail?.(given as FeatureMap[]);
    case 'gradient': {
      const { picture, seed, share } = given as { picture: Picture; seed: Float32Array; share: number };
      return gradient?.(picture, seed, share);
    }
    default:
      throw new Error(`There is no call ${call}.`);
  }
}

const picturesOf = (shown: Shown): Picture[] => (isRow(shown) ? picturesIn(shown) : shown);

/** Many small arrays are slow to write into a message. Those of one batch lie together already. */
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
