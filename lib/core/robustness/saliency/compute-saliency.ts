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

/** How a map was made: class maps first, the exact ones before all others. */
export const saliencyMethods = ['head', 'gradient', 'tail', 'sensitivity', 'occlusion'] as const;
export type SaliencyMethod = (typeof saliencyMethods)[number];

/** Where a model looks when it says a class. */
export interface SaliencyMap {
  /** Place of the class in the contract. */
  target: number;
  by: SaliencyMethod;
  /** At the size of the picture, 0 to 1. */
  map: Float32Array;
  /** Nothing speaks for the class: the map is zero everywhere. */
  isEmpty: boolean;
}

/**
 * Along the shorter side of a map: what a ResNet has for 224 pixels, which class maps were published for. At 64 pixels
 * the same network has 2 × 2, and each of them holds as much of the object as of what is beside it.
 */
const MIN_CELLS = 7;

export const hasFineCells = ({ width, height }: { width: number; height: number }): boolean =>
  Math.min(width, height) >= MIN_CELLS;

/** The best way that a model allows: a class map where its cells can tell an object from its surroundings. */
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
  /** The class that is asked about; `predicted` is what the papers do. */
  target?: 'predicted' | number;
  by?: SaliencyMethod;
  /** What is hidden in turn where nothing better can be done: parts that people drew. */
  regions?: readonly Region[];
}

/** Tiles along a side where there is no class map. */
export const TILES = 8;

export async function computeSaliency(
  model: ModelRunner,
  picture: Picture,
  { target = 'predicted', by = chooseSaliencyMethod(model), regions = [] }: SaliencyOptions = {},
): Promise<SaliencyMap> {
  const { width, height } = picture;
  if (by === 'sensitivity') {
    const asked = await chosen(target, async () => (await model.logits([picture]))[0]);
    const found = await gradientOf(model, picture, asked);
    if (!found) throw unseen(by);
    const tiled = sensitivityMap(found.gradient, picture, TILES);
    return seen(asked, by, resizeMap(tiled.data, tiled, width, height));
  }
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
  return seen(asked, by, resizeMap(classMap(features, weights), features, width, height));
}

/** The probe of the saliency suite: how well the look lies on the object, as numbers of a row. */
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
  if (!found?.features) throw unseen(by);
  return gradientWeights(found.features);
}

/** Of the class alone, not of its loss. */
async function gradientOf(model: ModelRunner, picture: Picture, target: number) {
  const seed = new Float32Array(model.classes.length);
  seed[target] = 1;
  return model.gradient?.(picture, seed);
}

const unseen = (by: SaliencyMethod): Error => new Error(`This model cannot be looked at by its ${by}.`);

async function chosen(
  target: 'predicted' | number,
  ask: () => Promise<Float32Array | undefined>,
): Promise<number> {
  if (target !== 'predicted') return target;
  const logits = (await ask()) ?? new Float32Array();
  return logits.reduce((best, value, i) => (value > (logits[best] as number) ? i : best), 0);
}

const seen = (target: number, by: SaliencyMethod, map: Float32Array): SaliencyMap => ({
  target,
  by,
  map,
  isEmpty: !map.some((value) => value > 0),
});
