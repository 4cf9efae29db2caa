import { fillers } from '@/lib/core/robustness/pixels/compositing';
import type { Variant } from '@/lib/core/robustness/types';
import { insertAttributes, removeAttributes } from '@/lib/core/robustness/variants/attributes';
import {
  backgroundEdit,
  mixed,
  onlyBackgroundBox,
  onlyBackgroundTiled,
  onlyObject,
  withoutObject,
} from '@/lib/core/robustness/variants/backgrounds';
import { grayAttributes, grayRegion, identity } from '@/lib/core/robustness/variants/basic';
import { corruptionVariants } from '@/lib/core/robustness/variants/corruptions/corruption-variant';
import {
  directionEdit,
  flipEdit,
  pasteBack,
  positionEdit,
  positionGrid,
  sizeEdit,
} from '@/lib/core/robustness/variants/edits';
import { nodeMaps } from '@/lib/core/robustness/variants/nodes';
import { noisePair } from '@/lib/core/robustness/variants/noise';
import { edges, filledSilhouette, grayscale, silhouette } from '@/lib/core/robustness/variants/shape';
import { ATTRIBUTES } from './samples';

/** Every way to change a picture, or to look at it, that needs no attack and no judge, with its settings. */
export const everyVariant = (): Variant[] => [
  identity(),
  ...noisePair({ norm: 'linf', trials: 2 }),
  ...noisePair({ norm: 'l2', trials: 2 }),
  grayRegion('object'),
  grayRegion('background'),
  grayAttributes(ATTRIBUTES),
  ...corruptionVariants(),
  ...corruptionVariants({ types: ['fog', 'glass-blur', 'pixelate'], levels: [5], where: 'object' }),
  ...corruptionVariants({
    types: ['snow', 'motion-blur', 'jpeg-compression'],
    levels: [3],
    where: 'background',
  }),
  onlyObject(),
  withoutObject(),
  onlyBackgroundBox(),
  onlyBackgroundTiled(),
  mixed('same'),
  mixed('next', { feather: 2 }),
  ...fillers.map((filler) => mixed('other', { filler })),
  silhouette(),
  filledSilhouette(),
  grayscale(),
  edges(),
  pasteBack(),
  ...(['simpler', 'richer', 'same', 'other'] as const).map((kind) => backgroundEdit(kind)),
  sizeEdit(),
  sizeEdit(undefined, { filler: 'tile', feather: 0, moves: 'largest' }),
  positionEdit(),
  positionGrid(),
  directionEdit(undefined, { trials: 1 }),
  directionEdit(['random'], { trials: 2 }),
  flipEdit(),
  insertAttributes(ATTRIBUTES),
  insertAttributes(ATTRIBUTES, { placement: 'fitted', mustTouchObject: true, feather: 1 }),
  removeAttributes(ATTRIBUTES),
  nodeMaps(ATTRIBUTES),
];
