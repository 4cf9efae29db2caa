import { invertedRegion } from '../region';
import type { Variant } from '../types';
import { cellsOf } from './cells-of';
import { distance, drawNoise, LENGTHS, noisy, noisyByLength, SIGMAS, scaledLength } from './noise';
import { objectOf, TINY } from './object-of';

export const TRIALS = 10;

export interface NoiseOptions {
  where: 'object' | 'background';
  /** Strength of each value, or length over the region. */
  norm: 'linf' | 'l2';
  /** σ of 0 … 1, or lengths at 224 pixels. */
  levels?: readonly number[];
  trials?: number;
}

/** Noise in the object only, or beside it only. Both share their draws: a trial is a pair. */
export function noiseVariant({
  where,
  norm,
  levels = norm === 'linf' ? SIGMAS : LENGTHS,
  trials = TRIALS,
}: NoiseOptions): Variant {
  return {
    id: `noise.${where}.${norm}`,
    version: 1,
    says: `Gaussian noise ${where === 'object' ? 'in the object' : 'in the background'}, ${
      norm === 'linf'
        ? 'of strength σ'
        : 'of a fixed length over the region, scaled by the size of the picture'
    }.`,
    paradigm: 'transformation',
    needs: ['object mask'],
    parameters: { where, norm, tiny: TINY },
    streams: 'noise',
    cells: cellsOf(levels, trials),
    runs: 1,
    apply(sample, { level }, chance) {
      const found = objectOf(sample);
      if ('invalid' in found) return found;
      const { picture } = sample;
      const region = where === 'object' ? found.object : invertedRegion(found.object);
      const noise = drawNoise(picture, chance);
      const strength = Number(level);
      const changed =
        norm === 'linf'
          ? noisy(picture, region, noise, strength)
          : noisyByLength(picture, region, noise, scaledLength(strength, picture.width, picture.height));
      return { picture: changed, extra: { length: distance(changed, picture) } };
    },
  };
}

/** Both regions of one norm. */
export const noisePair = (options: Omit<NoiseOptions, 'where'>): [object: Variant, background: Variant] => [
  noiseVariant({ ...options, where: 'object' }),
  noiseVariant({ ...options, where: 'background' }),
];
