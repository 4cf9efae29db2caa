import os from 'node:os';
import path from 'node:path';
import { TesseraError } from '@/lib/errors';
import type { ModelRunner } from '@/lib/evaluation/model-runner';
import type { Picture } from '@/lib/evaluation/picture';
import type { FeatureMap } from '@/lib/evaluation/saliency/class-map';
import type { ChildReply, ChildRequest } from './asked-child';
import { firstLine } from './open-session';
import { type ModelSource, openModel } from './session';

/** What can be said of a model in a message: which of its functions there are. */
export interface Abilities
  extends Pick<ModelRunner, 'classes' | 'width' | 'height' | 'kind' | 'head' | 'hasMapGradient'> {
  features: boolean;
  tail: boolean;
  gradient: boolean;
}

const mostBytes = Number(process.argv[2]) * 2 ** 20;
const keepWithin = () => {
  if (process.memoryUsage.rss() > mostBytes) process.exit(1);
};
setInterval(keepWithin, 100).unref();

// Ctrl-C reaches every process of a terminal; this one ends when its parent lets go of it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit(0));

let model: ModelRunner | undefined;

async function answer(call: string, given: unknown): Promise<unknown> {
  if (call === 'open') return open(given as ModelSource);
  if (!model) throw new Error('The model is not open.');
  switch (call) {
    case 'logits':
      return model.logits(given as Picture[]);
    case 'features':
      return model.features?.(given as Picture[]);
    case 'tail':
      return model.tail?.(given as FeatureMap[]);
    case 'gradient': {
      const { picture, seed, share } = given as { picture: Picture; seed: Float32Array; share: number };
      return model.gradient?.(picture, seed, share);
    }
    default:
      throw new Error(`There is no call ${call}.`);
  }
}

async function open(source: ModelSource): Promise<Abilities> {
  // A file that names further files by path finds none but its neighbours.
  process.chdir(path.dirname(source.file));
  model = await openModel(source);
  // That folder may go as soon as the files are read.
  process.chdir(os.tmpdir());
  const { classes, width, height, kind, head, hasMapGradient } = model;
  return {
    ...{ classes, width, height, kind, head, hasMapGradient },
    features: model.features !== null,
    tail: model.tail !== null,
    gradient: model.gradient !== null,
  };
}

// One after the other: the runtime has one thread, and answers keep the order of the questions.
let last: Promise<unknown> = Promise.resolve();
process.on('message', ({ id, call, given }: ChildRequest) => {
  last = last
    .then(() => answer(call, given))
    .then(
      (said): ChildReply => ({ id, answer: said }),
      (error): ChildReply => ({ id, failed: firstLine(error), isTheirs: error instanceof TesseraError }),
    )
    .then((reply) => {
      // Between two looks at the clock a quick model may have taken any amount.
      keepWithin();
      process.send?.(reply);
    });
});
