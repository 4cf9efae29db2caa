import type { Variant } from '@/lib/evaluation/types';
import { insertAttributes } from '@/lib/evaluation/variants/attributes/insert';
import { removeAttributes } from '@/lib/evaluation/variants/attributes/remove';
import {
  onlyBackgroundBox,
  onlyBackgroundTiled,
  onlyObject,
  withoutObject,
} from '@/lib/evaluation/variants/background/alone';
import { mixed } from '@/lib/evaluation/variants/background/mixed';
import { fillers } from '@/lib/evaluation/variants/background/plate';
import { corruptionVariants } from '@/lib/evaluation/variants/corruptions/corruption-variant';
import { backgroundEdit } from '@/lib/evaluation/variants/edits/background';
import { directionEdit, flipEdit } from '@/lib/evaluation/variants/edits/direction';
import { pasteBack } from '@/lib/evaluation/variants/edits/paste-back';
import { positionEdit, positionGrid } from '@/lib/evaluation/variants/edits/position';
import { sizeEdit } from '@/lib/evaluation/variants/edits/size';
import { grayAttributes, grayRegion } from '@/lib/evaluation/variants/gray-variant';
import { identity } from '@/lib/evaluation/variants/identity';
import { nodeMaps } from '@/lib/evaluation/variants/node-maps';
import { noisePair } from '@/lib/evaluation/variants/noise-variant';
import { edges } from '@/lib/evaluation/variants/shape/edges';
import { filledSilhouette } from '@/lib/evaluation/variants/shape/filled-silhouette';
import { grayscale } from '@/lib/evaluation/variants/shape/grayscale';
import { silhouette } from '@/lib/evaluation/variants/shape/silhouette';
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
