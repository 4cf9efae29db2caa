import type { Variant } from '@/lib/core/robustness/types';
import { insertAttributes } from '@/lib/core/robustness/variants/attributes/insert';
import { removeAttributes } from '@/lib/core/robustness/variants/attributes/remove';
import {
  onlyBackgroundBox,
  onlyBackgroundTiled,
  onlyObject,
  withoutObject,
} from '@/lib/core/robustness/variants/background/alone';
import { mixed } from '@/lib/core/robustness/variants/background/mixed';
import { fillers } from '@/lib/core/robustness/variants/background/plate';
import { corruptionVariants } from '@/lib/core/robustness/variants/corruptions/corruption-variant';
import { backgroundEdit } from '@/lib/core/robustness/variants/edits/background';
import { directionEdit, flipEdit } from '@/lib/core/robustness/variants/edits/direction';
import { pasteBack } from '@/lib/core/robustness/variants/edits/paste-back';
import { positionEdit, positionGrid } from '@/lib/core/robustness/variants/edits/position';
import { sizeEdit } from '@/lib/core/robustness/variants/edits/size';
import { grayAttributes, grayRegion } from '@/lib/core/robustness/variants/gray-variant';
import { identity } from '@/lib/core/robustness/variants/identity';
import { nodeMaps } from '@/lib/core/robustness/variants/node-maps';
import { noisePair } from '@/lib/core/robustness/variants/noise-variant';
import { edges } from '@/lib/core/robustness/variants/shape/edges';
import { filledSilhouette } from '@/lib/core/robustness/variants/shape/filled-silhouette';
import { grayscale } from '@/lib/core/robustness/variants/shape/grayscale';
import { silhouette } from '@/lib/core/robustness/variants/shape/silhouette';
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
