import type { ModelRunner } from '@/lib/evaluation/model-runner';
import type { Picture } from '@/lib/evaluation/picture';
import type { FeatureMap } from '@/lib/evaluation/saliency/class-map';
import { besideFile, serveChild } from './serve-child';
import { type ModelSource, openModel } from './session';

/** What can be said of a model in a message: which of its functions there are. */
export interface Abilities
  extends Pick<ModelRunner, 'classes' | 'width' | 'height' | 'kind' | 'head' | 'hasMapGradient'> {
  features: boolean;
  tail: boolean;
  gradient: boolean;
}

let model: ModelRunner | undefined;

serveChild(async (call, given) => {
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
});

async function open(source: ModelSource): Promise<Abilities> {
  model = await besideFile(source.file, () => openModel(source));
  const { classes, width, height, kind, head, hasMapGradient } = model;
  return {
    ...{ classes, width, height, kind, head, hasMapGradient },
    features: model.features !== null,
    tail: model.tail !== null,
    gradient: model.gradient !== null,
  };
}
