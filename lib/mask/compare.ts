import { MaskError } from './errors';
import { kernel } from './kernel';
import { checkSameSize, type Mask } from './mask';
import { area } from './measure';

/** Number of pixels in both masks. */
export function intersectionArea(a: Mask, b: Mask): number {
  checkSameSize(a, b);
  return kernel().overlap(a.toggles, b.toggles);
}

/** Intersection over union in [0, 1]. Two empty masks agree completely: 1. */
export function iou(a: Mask, b: Mask): number {
  const both = intersectionArea(a, b);
  const either = area(a) + area(b) - both;
  return either === 0 ? 1 : both / either;
}

/** Twice the intersection over the sum of the areas, in [0, 1]. Two empty masks: 1. */
export function dice(a: Mask, b: Mask): number {
  const both = intersectionArea(a, b);
  const sum = area(a) + area(b);
  return sum === 0 ? 1 : (2 * both) / sum;
}

/** Share of the answer's pixels that are right. An empty answer says nothing wrong: 1. */
export function precision(answer: Mask, truth: Mask): number {
  const both = intersectionArea(answer, truth);
  const claimed = area(answer);
  return claimed === 0 ? 1 : both / claimed;
}

/** Share of the true pixels that the answer found. With nothing to find: 1. */
export function recall(answer: Mask, truth: Mask): number {
  return precision(truth, answer);
}

/**
 * COCO's form: with `crowd`, the answer is measured against its own area only, so that any part of a crowd
 * region matches it. No common pixel gives 0, also for two empty masks.
 */
export function cocoIou(answer: Mask, truth: Mask, crowd = false): number {
  const both = intersectionArea(answer, truth);
  if (both === 0) return 0;
  return both / (crowd ? area(answer) : area(answer) + area(truth) - both);
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
