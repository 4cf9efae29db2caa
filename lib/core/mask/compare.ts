import { MaskError } from './errors';
import { FIRST, kernel, MEAN, type RatioBase, UNION } from './kernel';
import { checkSameSize, type Mask } from './mask';

/** Number of pixels in both masks. */
export function intersectionArea(a: Mask, b: Mask): number {
  checkSameSize(a, b);
  return kernel().overlap(a.toggles, b.toggles);
}

/** Intersection over union in [0, 1]. Two empty masks agree completely: 1. */
export function iou(a: Mask, b: Mask): number {
  return ratio(a, b, UNION, 1);
}

/** Twice the intersection over the sum of the areas, in [0, 1]. Two empty masks: 1. */
export function dice(a: Mask, b: Mask): number {
  return ratio(a, b, MEAN, 1);
}

/** Share of the answer's pixels that are right. An empty answer says nothing wrong: 1. */
export function precision(answer: Mask, truth: Mask): number {
  return ratio(answer, truth, FIRST, 1);
}

/** Share of the true pixels that the answer found. With nothing to find: 1. */
export function recall(answer: Mask, truth: Mask): number {
  return ratio(truth, answer, FIRST, 1);
}

/**
 * COCO's form: with `crowd`, the answer is measured against its own area only, so that any part of a crowd
 * region matches it. No common pixel gives 0, also for two empty masks.
 */
export function cocoIou(answer: Mask, truth: Mask, crowd = false): number {
  return ratio(answer, truth, crowd ? FIRST : UNION, 0);
}

function ratio(a: Mask, b: Mask, against: RatioBase, ofNothing: number): number {
  checkSameSize(a, b);
  const value = kernel().overlapRatio(a.toggles, b.toggles, against);
  return Number.isNaN(value) ? ofNothing : value;
}

/**
 * COCO's form for all pairs: row per answer, column per truth, in one array of answers.length · truths.length.
 * `crowd[j]` says that truth j is a crowd region.
 */
export function iouMatrix(
  answers: readonly Mask[],
  truths: readonly Mask[],
  crowd: readonly boolean[] = [],
): Float64Array {
  if (crowd.length > 0 && crowd.length !== truths.length)
    throw new MaskError('bad-argument', 'crowd', `${crowd.length} crowd marks for ${truths.length} masks`);
  const [first] = [...answers, ...truths];
  if (!first) return new Float64Array(0);
  for (const mask of answers) checkSameSize(first, mask);
  for (const mask of truths) checkSameSize(first, mask);
  const toggles = (mask: Mask) => mask.toggles;
  return kernel().iouMatrix(answers.map(toggles), truths.map(toggles), first.height, crowd);
}
