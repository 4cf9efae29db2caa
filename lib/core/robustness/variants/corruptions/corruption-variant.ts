import type { Variant } from '../../types';
import { restrictToRegion } from '../basic';
import { createCells } from '../samples';
import { defocusBlur, glassBlur, motion, zoomBlur } from './blur';
import { type Corruption, severities } from './corruption';
import { contrast, elastic, jpeg, pixelate } from './digital';
import { gaussianNoise, impulseNoise, shotNoise } from './noise';
import { brightness, fog, frostP, snow } from './weather';

/** In the order of the ImageNet-C table and its published reference errors. */
export const corruptions: readonly Corruption[] = [
  gaussianNoise,
  shotNoise,
  impulseNoise,
  defocusBlur,
  glassBlur,
  motion,
  zoomBlur,
  snow,
  frostP,
  fog,
  brightness,
  contrast,
  elastic,
  pixelate,
  jpeg,
];

/** Applied at the input size of the model; the level is the severity. */
export const corruptionVariant = (
  corruption: Corruption,
  levels: readonly number[] = severities,
): Variant => ({
  id: `corrupt.${corruption.id}`,
  version: 1,
  description: corruption.description,
  paradigm: 'transformation',
  needs: [],
  parameters: { stage: 'input' },
  cells: createCells(levels),
  runs: 1,
  async apply({ picture }, { level }, rng, context) {
    return { picture: await corruption.apply(picture, Number(level), rng, context) };
  },
});

/** Variants of all or selected corruptions, for the whole picture or a region. */
export function corruptionVariants({
  types = corruptions.map(({ id }) => id),
  levels = severities,
  where,
}: {
  types?: readonly string[];
  levels?: readonly number[];
  where?: 'object' | 'background';
} = {}): Variant[] {
  return corruptions
    .filter(({ id }) => types.includes(id))
    .map((corruption) => corruptionVariant(corruption, levels))
    .map((variant) => (where ? restrictToRegion(variant, where) : variant));
}
