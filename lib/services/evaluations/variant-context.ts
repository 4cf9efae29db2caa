import sharp from 'sharp';
import type { LatentSpace } from '@/lib/core/robustness/fmr/generators';
import type { Oracle } from '@/lib/core/robustness/fmr/oracles';
import { DEFAULT_STEP } from '@/lib/core/robustness/onnx/companion-contracts';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';
import { computeSaliency } from '@/lib/core/robustness/saliency/compute-saliency';
import { describePlan, type Preset, type Setting } from '@/lib/core/robustness/suites';
import type { ModelRunner, VariantContext } from '@/lib/core/robustness/types';
import { sha256Of } from '@/lib/services/storage';
import { isPlainGenerator } from './evaluation-request';
import type { SamplePool } from './sample-pool';

/** Creates the context of variants for one model and sample pool, with a query counter. */
export function createVariantContext(
  model: ModelRunner,
  pool: SamplePool,
  oracle: Oracle | null,
  latents: LatentSpace | null = null,
  crowdVerdict: VariantContext['crowdVerdict'] = null,
): VariantContext & { readonly queries: number } {
  let queries = 0;
  const { logits, features, gradient } = model;
  const countedModel: ModelRunner = {
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
    query: async (pictures) => (pictures.length === 0 ? [] : countedModel.logits(pictures)),
    gradient: countedModel.gradient,
    saliency: (picture, classIndex) => computeSaliency(countedModel, picture, { target: classIndex }),
    ...(countedModel.features
      ? {
          async features(picture: Picture) {
            const [seen] = (await countedModel.features?.([picture])) ?? [];
            if (!seen) throw new Error('The model returned no feature map.');
            return seen.features;
          },
        }
      : {}),
    compressJpeg,
    oracle: oracle && ((_, picture) => oracle(picture)),
    latents,
    crowdVerdict,
  };
}

/** JPEG round trip; deterministic for this codec. */
export async function compressJpeg({ width, height, data }: Picture, quality: number): Promise<Picture> {
  const area = width * height;
  const bytes = Buffer.alloc(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++)
      bytes[CHANNELS * i + c] = Math.round(255 * (data[c * area + i] as number));
  const coded = await sharp(bytes, { raw: { width, height, channels: CHANNELS } })
    .jpeg({ quality, chromaSubsampling: '4:2:0' })
    .toBuffer();
  const seen = await sharp(coded).raw().toBuffer();
  const out = new Float32Array(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++) out[c * area + i] = (seen[CHANNELS * i + c] as number) / 255;
  return { width, height, data: out };
}

/** Identifies the planned variants and suite versions. Evaluations with another hash are not comparable. */
export const hashPlan = (suite: string, setting: Setting): string =>
  sha256Of(Buffer.from(JSON.stringify(describePlan(suite, setting))));

/** Setting of the suites, shared by plans, evaluations and regenerated pictures. */
export const createSetting = (
  options: { preset: Preset; seed: number; generator: string },
  contract: { classes: readonly string[]; input: { side: number } },
  schema: { attributes: readonly { id: string; kind: string }[] },
  offers: Setting['offers'],
  /** Step size of a decoder. */
  step: number = DEFAULT_STEP,
): Setting => ({
  preset: options.preset,
  seed: options.seed,
  classes: contract.classes,
  attributes: schema.attributes.filter(({ kind }) => kind === 'localised').map(({ id }) => id),
  marked: schema.attributes.map(({ id }) => id),
  side: contract.input.side,
  generator: isPlainGenerator(options.generator) ? { id: options.generator } : { id: 'decoder', step },
  offers,
});
