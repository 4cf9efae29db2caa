import { alignment } from '../metrics/saliency-alignment';
import type { ModelRunner } from '../model-runner';
import type { Picture } from '../picture';
import type { Region } from '../region';
import type { Sample } from '../types';
import { atSize, classMap, type FeatureMap } from './class-map';
import { gradientWeights, headWeights, tailWeights } from './grad-cam';
import { occlusionMap, tiles } from './occlusion';

/** How a map was made, the exact ones first. */
export const lookings = ['head', 'gradient', 'tail', 'occlusion'] as const;
export type Looking = (typeof lookings)[number];

/** Where a model looks when it says a class. */
export interface Look {
  /** Place of the class in the contract. */
  target: number;
  by: Looking;
  /** At the size of the picture, 0 to 1. */
  map: Float32Array;
  /** Nothing speaks for the class: the map is zero everywhere. */
  isEmpty: boolean;
}

/** The best way that a model allows. */
export function bestLooking(model: ModelRunner): Looking {
  if (model.features && model.head) return 'head';
  if (model.features && model.gradient && model.hasMapGradient) return 'gradient';
  return model.features && model.tail ? 'tail' : 'occlusion';
}

export interface LookSettings {
  /** The class that is asked about; `predicted` is what the papers do. */
  target?: 'predicted' | number;
  by?: Looking;
  /** What is hidden in turn where nothing better can be done: parts that people drew. */
  regions?: readonly Region[];
}

/** Tiles along a side where nobody drew parts. */
const TILES = 8;

export async function look(
  model: ModelRunner,
  picture: Picture,
  { target = 'predicted', by = bestLooking(model), regions = [] }: LookSettings = {},
): Promise<Look> {
  const { width, height } = picture;
  if (by === 'occlusion' || !model.features) {
    const asked = await chosen(target, async () => (await model.logits([picture]))[0]);
    const hidden = regions.length > 0 ? regions : tiles(width, height, Math.ceil(width / TILES));
    const { map } = await occlusionMap(picture, hidden, asked, (pictures) => model.logits(pictures));
    return seen(asked, 'occlusion', map);
  }
  const [found] = await model.features([picture]);
  if (!found) throw new Error('A model answers for every picture.');
  const { features, logits } = found;
  const asked = await chosen(target, async () => logits);
  const weights = await channelWeights(model, picture, features, asked, by);
  return seen(asked, by, atSize(classMap(features, weights), features, width, height));
}

/** The probe of the saliency suite: how well the look lies on the object, as numbers of a row. */
export async function readAlignment(
  model: ModelRunner,
  sample: Sample,
  settings: LookSettings = {},
): Promise<Record<string, number | string | null>> {
  const found = await look(model, sample.picture, { regions: Object.values(sample.parts), ...settings });
  const measured = alignment(found.map, sample.object ?? []);
  const { isEmpty: _, ...numbers } = measured;
  const isDrawn = sample.object !== null;
  return {
    ...(isDrawn ? numbers : Object.fromEntries(Object.keys(numbers).map((name) => [name, null]))),
    target: found.target,
    by: found.by,
    isEmpty: found.isEmpty ? 1 : 0,
  };
}

async function channelWeights(
  model: ModelRunner,
  picture: Picture,
  features: FeatureMap,
  target: number,
  by: Looking,
): Promise<ArrayLike<number>> {
  if (by === 'head' && model.head) return headWeights(model.head, target);
  if (by === 'tail' && model.tail) return tailWeights(features, target, model.tail);
  const seed = new Float32Array(model.classes.length);
  seed[target] = 1;
  const found = by === 'gradient' ? await model.gradient?.(picture, seed) : undefined;
  if (!found?.features) throw new Error(`This model cannot be looked at by its ${by}.`);
  return gradientWeights(found.features);
}

async function chosen(
  target: 'predicted' | number,
  ask: () => Promise<Float32Array | undefined>,
): Promise<number> {
  if (target !== 'predicted') return target;
  const logits = (await ask()) ?? new Float32Array();
  return logits.reduce((best, value, i) => (value > (logits[best] as number) ? i : best), 0);
}

const seen = (target: number, by: Looking, map: Float32Array): Look => ({
  target,
  by,
  map,
  isEmpty: !map.some((value) => value > 0),
});
