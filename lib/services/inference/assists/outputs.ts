import { maskFromScore } from '@/lib/core/editor/region/mask-from-score';
import { area, type Mask, removeSpecks } from '@/lib/core/mask';
import type { Size } from './frame';

/** Share of the mask below which a separate part of it is a speck of the network and not of the object. */
const SPECK = 0.005;

/**
 * Segment Anything's decoder may give several masks with a guess of how good each is; the best one counts.
 * Logits are positive inside.
 */
export function samMask(
  masks: { data: Float32Array; dims: readonly number[] },
  guesses: ArrayLike<number>,
  image: Size,
): Mask {
  const [height = 1, width = 1] = masks.dims.slice(-2);
  const plane = height * width;
  const count = masks.data.length / plane;
  let best = 0;
  for (let i = 1; i < count; i++) if ((guesses[i] as number) > (guesses[best] as number)) best = i;
  const score = masks.data.subarray(best * plane, (best + 1) * plane);
  return withoutSpecks(maskFromScore(score, { width, height }, image));
}

/** U²-Net's first output, between 0 and 1 and often only within a part of that: it is stretched first. */
export function saliencyMask(saliency: Float32Array, side: number, image: Size): Mask {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of saliency) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const middle = (least + most) / 2;
  const score = saliency.map((value) => value - middle);
  return withoutSpecks(maskFromScore(score, { width: side, height: side }, image));
}

function withoutSpecks(mask: Mask): Mask {
  return removeSpecks(mask, SPECK * area(mask), 8);
}
