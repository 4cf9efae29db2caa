import { mean } from 'd3-array';

/** Several people's masks of one object, pixel by pixel 0 or 1, and what a model looked at. */
export interface MaskUncertainty {
  /** Share of people who drew each pixel. */
  soft: Float64Array;
  /** Mean agreement of two people; null of fewer than two, or where nobody drew anything. */
  pairwise: number | null;
  /** Against what at least half drew. */
  majority: number | null;
  /** On pixels only where all agree. */
  certain: number | null;
  /** Against the shares: what is between counts in part. */
  softIou: number | null;
  /** Worst and best over the people: how far the choice of annotator moves the figure. */
  low: number | null;
  high: number | null;
}

export function maskUncertainty(
  masks: readonly ArrayLike<number>[],
  saliency: ArrayLike<number>,
): MaskUncertainty {
  const n = saliency.length;
  const soft = Float64Array.from(
    { length: n },
    (_, i) => masks.reduce((sum, mask) => sum + (mask[i] as number), 0) / Math.max(1, masks.length),
  );
  const everywhere = () => true;
  const pairs = masks.flatMap((a, i) => masks.slice(i + 1).map((b) => overlap(a, b, everywhere)));
  const each = masks.map((mask) => overlap(mask, saliency, everywhere)).filter((iou) => iou !== null);
  const half = soft.map((share) => (share >= 0.5 ? 1 : 0));
  return {
    soft,
    pairwise: mean(pairs.filter((iou) => iou !== null)) ?? null,
    majority: masks.length === 0 ? null : overlap(half, saliency, everywhere),
    certain: masks.length === 0 ? null : overlap(half, saliency, (i) => soft[i] === 0 || soft[i] === 1),
    softIou: masks.length === 0 ? null : overlap(soft, saliency, everywhere),
    low: each.length === 0 ? null : Math.min(...each),
    high: each.length === 0 ? null : Math.max(...each),
  };
}

/** Intersection over union of shares: of 0 and 1 it is the usual one. Null of two empty ones. */
function overlap(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  counts: (pixel: number) => boolean,
): number | null {
  let [both, either] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    if (!counts(i)) continue;
    both += Math.min(a[i] as number, b[i] as number);
    either += Math.max(a[i] as number, b[i] as number);
  }
  return either === 0 ? null : both / either;
}
