import type { Picture, Region } from '../picture';
import type { ModelRunner, Sample } from '../types';
import { alignment } from './alignment';
import {
  classMap,
  type FeatureMap,
  gradientWeights,
  headWeights,
  occlusionMap,
  resizeMap,
  sensitivityMap,
  tailWeights,
  tiles,
} from './maps';

/** Saliency methods in order of preference. */
export const saliencyMethods = ['head', 'gradient', 'tail', 'sensitivity', 'occlusion'] as const;
export type SaliencyMethod = (typeof saliencyMethods)[number];

/** Saliency map of a model for a class. */
export interface SaliencyMap {
  /** Place of the class in the contract. */
  target: number;
  by: SaliencyMethod;
  /** At the size of the picture, 0 to 1. */
  map: Float32Array;
  /** The map is zero everywhere. */
  isEmpty: boolean;
}

/**
 * Minimum cells along the shorter side of a feature map for class maps: the size of ResNet at 224 pixels. At 64 pixels the
 * same network has 2 × 2 cells, too coarse to separate object and background.
 */
const MIN_CELLS = 7;

export const hasFineCells = ({ width, height }: { width: number; height: number }): boolean =>
  Math.min(width, height) >= MIN_CELLS;

/** Chooses the best method that the model supports; class maps only if the feature map is fine enough. */
export function chooseSaliencyMethod(
  model: Pick<ModelRunner, 'features' | 'map' | 'head' | 'tail' | 'gradient' | 'hasMapGradient'>,
): SaliencyMethod {
  const { features, map, head, tail, gradient, hasMapGradient } = model;
  if (features && map && hasFineCells(map)) {
    if (head) return 'head';
    if (gradient && hasMapGradient) return 'gradient';
    if (tail) return 'tail';
  }
  return gradient ? 'sensitivity' : 'occlusion';
}

export interface SaliencyOptions {
  /** Explained class; `predicted` as in the papers. */
  target?: 'predicted' | number;
  by?: SaliencyMethod;
  /** Regions for occlusion; defaults to tiles. */
  regions?: readonly Region[];
}

/** Tiles per side without a class map. */
export const TILES = 8;

export async function computeSaliency(
  model: ModelRunner,
  picture: Picture,
  { target = 'predicted', by = chooseSaliencyMethod(model), regions = [] }: SaliencyOptions = {},
): Promise<SaliencyMap> {
  const { width, height } = picture;
  if (by === 'sensitivity') {
    const classIndex = await resolveTarget(target, async () => (await model.logits([picture]))[0]);
    const found = await gradientOf(model, picture, classIndex);
    if (!found) throw unsupportedMethod(by);
    const tiled = sensitivityMap(found.gradient, picture, TILES);
    return toSaliencyMap(classIndex, by, resizeMap(tiled.data, tiled, width, height));
  }
  if (by === 'occlusion' || !model.features) {
    const classIndex = await resolveTarget(target, async () => (await model.logits([picture]))[0]);
    const hidden = regions.length > 0 ? regions : tiles(width, height, Math.ceil(width / TILES));
    const { map } = await occlusionMap(picture, hidden, classIndex, (pictures) => model.logits(pictures));
    return toSaliencyMap(classIndex, 'occlusion', map);
  }
  const [found] = await model.features([picture]);
  if (!found) throw new Error('The model returned no output for the picture.');
  const { features, logits } = found;
  const classIndex = await resolveTarget(target, async () => logits);
  const weights = await channelWeights(model, picture, features, classIndex, by);
  return toSaliencyMap(classIndex, by, resizeMap(classMap(features, weights), features, width, height));
}

/** Saliency alignment of a sample as extra values of a row. */
export async function measureAlignment(
  model: ModelRunner,
  sample: Sample,
  settings: SaliencyOptions = {},
): Promise<Record<string, number | string | null>> {
  const found = await computeSaliency(model, sample.picture, {
    regions: Object.values(sample.parts),
    ...settings,
  });
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
  by: SaliencyMethod,
): Promise<ArrayLike<number>> {
  if (by === 'head' && model.head) return headWeights(model.head, target);
  if (by === 'tail' && model.tail) return tailWeights(features, target, model.tail);
  const found = by === 'gradient' ? await gradientOf(model, picture, target) : null;
  if (!found?.features) throw unsupportedMethod(by);
  return gradientWeights(found.features);
}

/** Gradient of the class logit. */
async function gradientOf(model: ModelRunner, picture: Picture, target: number) {
  const seed = new Float32Array(model.classes.length);
  seed[target] = 1;
  return model.gradient?.(picture, seed);
}

const unsupportedMethod = (by: SaliencyMethod): Error =>
  new Error(`The model does not support the saliency method ${by}.`);

async function resolveTarget(
  target: 'predicted' | number,
  ask: () => Promise<Float32Array | undefined>,
): Promise<number> {
  if (target !== 'predicted') return target;
  const logits = (await ask()) ?? new Float32Array();
  return logits.reduce((best, value, i) => (value > (logits[best] as number) ? i : best), 0);
}

const toSaliencyMap = (target: number, by: SaliencyMethod, map: Float32Array): SaliencyMap => ({
  target,
  by,
  map,
  isEmpty: !map.some((value) => value > 0),
});
