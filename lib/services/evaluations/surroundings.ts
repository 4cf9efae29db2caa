import type { LatentSpace } from '@/lib/core/robustness/fmr/latent-walk';
import type { Oracle } from '@/lib/core/robustness/fmr/oracles';
import type { ModelRunner } from '@/lib/core/robustness/model-runner';
import type { Picture } from '@/lib/core/robustness/picture';
import { look } from '@/lib/core/robustness/saliency/look';
import type { Surroundings } from '@/lib/core/robustness/types';
import type { SamplePool } from './sample-pool';
import { throughJpeg } from './through-jpeg';

/** What variants may ask, of one model and the images of one evaluation; counts what the model was asked. */
export function surroundings(
  model: ModelRunner,
  pool: SamplePool,
  oracle: Oracle | null,
  latents: LatentSpace | null = null,
  heard: Surroundings['heard'] = null,
): Surroundings & { readonly queries: number } {
  let queries = 0;
  const { logits, features, gradient } = model;
  const asked: ModelRunner = {
    ...model,
    logits(pictures) {
      queries += pictures.length;
      return logits(pictures);
    },
    features:
      features &&
      ((pictures) => {
        queries += pictures.length;
        return features(pictures);
      }),
    gradient:
      gradient &&
      ((picture, seed, share) => {
        queries += 1;
        return gradient(picture, seed, share);
      }),
  };
  return {
    get queries() {
      return queries;
    },
    donor: pool.donor,
    typicalClass: pool.typicalClass,
    query: async (pictures) => (pictures.length === 0 ? [] : asked.logits(pictures)),
    gradient: asked.gradient,
    saliency: (picture, classIndex) => look(asked, picture, { target: classIndex }),
    ...(asked.features
      ? {
          async features(picture: Picture) {
            const [seen] = (await asked.features?.([picture])) ?? [];
            if (!seen) throw new Error('The model gave no map of features.');
            return seen.features;
          },
        }
      : {}),
    throughJpeg,
    oracle: oracle && ((_, picture) => oracle(picture)),
    latents,
    heard,
  };
}
