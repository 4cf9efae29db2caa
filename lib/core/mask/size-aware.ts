import { iou } from './compare';
import { MaskError } from './errors';
import { checkSameSize, type Mask } from './mask';
import { area } from './measure';
import { dilate } from './morphology';

export type SizeAwareRule = {
  /** The IoU asked of large parts. */
  readonly bar: number;
  /** The error, in pixels all round, that a careful hand may make whatever the size. */
  readonly tolerance: number;
};

/** 0.70 is RIVAL10's bar; two pixels cost a part of radius 4 more than half of its IoU, one of radius 64 6 %. */
export const DEFAULT_SIZE_AWARE_RULE: SizeAwareRule = { bar: 0.7, tolerance: 2 };

/** A pixel reaches this far beyond its centre, between centres dilation measures. */
const HALF_PIXEL = 0.5;

/** The IoU that drawing this part `tolerance` pixels too fat all round would get. */
export function fairIou(truth: Mask, tolerance: number): number {
  const size = area(truth);
  return size === 0 ? 1 : size / area(dilate(truth, tolerance + HALF_PIXEL));
}

/**
 * A score in [0, 1] to hold against `bar` at every size. Where even a careful drawing cannot reach the bar, IoU is
 * stretched along two straight lines so that exactly that drawing reaches it (0 stays 0, 1 stays 1); elsewhere it is
 * the plain IoU, which stays the number to report. Lines and not a power, because browsers round powers differently.
 */
export function sizeAwareScore(answer: Mask, truth: Mask, rule = DEFAULT_SIZE_AWARE_RULE): number {
  checkSameSize(answer, truth);
  const { bar, tolerance } = rule;
  if (!(bar > 0 && bar < 1))
    throw new MaskError('bad-argument', 'rule.bar', `a bar lies between 0 and 1, got ${bar}`);
  const plain = iou(answer, truth);
  const fair = fairIou(truth, tolerance);
  if (fair >= bar) return plain;
  return plain <= fair ? (plain / fair) * bar : bar + ((plain - fair) / (1 - fair)) * (1 - bar);
}
