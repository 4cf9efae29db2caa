import { CHANNELS, invertRegion, mapPicture, type Picture, type Region } from '../picture';
import type { Rng } from '../random';
import type { Variant } from '../types';
import { createCells, findObject, MIN_OBJECT_SHARE } from './samples';

/** Levels of the paper: σ of 30 to 210 in 255ths. */
export const SIGMAS = [30, 60, 90, 120, 150, 180, 210].map((level) => level / 255);

/** Lengths of the paper's perturbations at 224 pixels; elsewhere in proportion to the root of the number of values. */
export const LENGTHS = [25, 50, 75, 100, 125, 150, 175, 200];
export const scaledLength = (length: number, width: number, height: number): number =>
  length * Math.sqrt((CHANNELS * width * height) / (CHANNELS * 224 * 224));

/** Standard normal noise, shared by both regions of a trial. */
function drawNoise({ width, height }: Picture, rng: Rng): Float64Array {
  const noise = new Float64Array(CHANNELS * width * height);
  for (let i = 0; i < noise.length; i++) noise[i] = rng.normal();
  return noise;
}

/** Noise of strength σ in a region. */
export function addNoise(picture: Picture, region: Region, noise: Float64Array, sigma: number): Picture {
  const area = region.length;
  return mapPicture(picture, (value, pixel, channel) =>
    region[pixel] ? value + sigma * (noise[channel * area + pixel] as number) : value,
  );
}

/** Noise with a fixed L2 norm over the region. The region must not be empty. */
export function addNoiseOfLength(
  picture: Picture,
  region: Region,
  noise: Float64Array,
  length: number,
): Picture {
  const area = region.length;
  let squares = 0;
  for (let i = 0; i < noise.length; i++) if (region[i % area]) squares += (noise[i] as number) ** 2;
  return addNoise(picture, region, noise, length / Math.sqrt(squares));
}

/** L2 distance. Clamping makes it smaller than the requested norm. */
export function l2Distance(a: Picture, b: Picture): number {
  let squares = 0;
  for (let i = 0; i < a.data.length; i++) squares += ((a.data[i] as number) - (b.data[i] as number)) ** 2;
  return Math.sqrt(squares);
}

const TRIALS = 10;

interface NoiseOptions {
  where: 'object' | 'background';
  /** Strength of each value, or length over the region. */
  norm: 'linf' | 'l2';
  /** σ of 0 … 1, or lengths at 224 pixels. */
  levels?: readonly number[];
  trials?: number;
}

/** Noise in the object or the background. Both share their random numbers, so that trials are paired. */
function noiseVariant({
  where,
  norm,
  levels = norm === 'linf' ? SIGMAS : LENGTHS,
  trials = TRIALS,
}: NoiseOptions): Variant {
  return {
    id: `noise.${where}.${norm}`,
    version: 1,
    description: `Gaussian noise ${where === 'object' ? 'in the object' : 'in the background'}, ${
      norm === 'linf'
        ? 'of strength σ'
        : 'of a fixed length over the region, scaled by the size of the picture'
    }.`,
    paradigm: 'transformation',
    needs: ['object mask'],
    parameters: { where, norm, tiny: MIN_OBJECT_SHARE },
    rngName: 'noise',
    cells: createCells(levels, trials),
    runs: 1,
    apply(sample, { level }, rng) {
      const found = findObject(sample);
      if ('invalid' in found) return found;
      const { picture } = sample;
      const region = where === 'object' ? found.object : invertRegion(found.object);
      const noise = drawNoise(picture, rng);
      const strength = Number(level);
      const changed =
        norm === 'linf'
          ? addNoise(picture, region, noise, strength)
          : addNoiseOfLength(picture, region, noise, scaledLength(strength, picture.width, picture.height));
      return { picture: changed, extra: { length: l2Distance(changed, picture) } };
    },
  };
}

/** Both regions of one norm. */
export const noisePair = (options: Omit<NoiseOptions, 'where'>): [object: Variant, background: Variant] => [
  noiseVariant({ ...options, where: 'object' }),
  noiseVariant({ ...options, where: 'background' }),
];
