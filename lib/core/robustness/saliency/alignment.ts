import { mean } from 'd3-array';

/** How well what a model looks at lies on the object. Null where a figure is not defined. */
interface Alignment {
  iou: number | null;
  /** As the paper prints its formula, without the minus of the intersection: for reproducing it only. */
  iouAsPrinted: number | null;
  dice: number | null;
  /** Mean saliency on the object minus that beside it. */
  delta: number | null;
  averagePrecision: number | null;
  /** Share of the saliency that lies on the object. */
  precision: number | null;
  /** Share of the object under the pixels that hold three quarters of the saliency. */
  recall: number | null;
  /** Precision in units of what evenly spread saliency would have. */
  lift: number | null;
  /** The map is zero everywhere. */
  isEmpty: boolean;
}

const HALF = 0.5;
const LEFT_OUT = 0.25;

const undefinedAlignment: Alignment = {
  iou: null,
  iouAsPrinted: null,
  dice: null,
  delta: null,
  averagePrecision: null,
  precision: null,
  recall: null,
  lift: null,
  isEmpty: false,
};

/** Saliency is of 0 and above, of any scale; the mask is 0 or 1, pixel by pixel. */
export function alignment(saliency: ArrayLike<number>, mask: ArrayLike<number>): Alignment {
  const n = mask.length;
  let [object, total, on, max] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [s, m] = [saliency[i] as number, mask[i] as number];
    total += s;
    max = Math.max(max, s);
    if (m) {
      object += 1;
      on += s;
    }
  }
  if (object === 0) return undefinedAlignment;
  if (max <= 0)
    return {
      ...undefinedAlignment,
      iou: 0,
      iouAsPrinted: 0,
      dice: 0,
      recall: 0,
      delta: object === n ? null : 0,
      isEmpty: true,
    };
  let [seen, both] = [0, 0];
  for (let i = 0; i < n; i++)
    if ((saliency[i] as number) >= HALF * max) {
      seen += 1;
      if (mask[i]) both += 1;
    }
  const precision = on / total;
  return {
    iou: both / (object + seen - both),
    iouAsPrinted: both / (object + seen),
    dice: (2 * both) / (object + seen),
    delta: object === n ? null : on / object - (total - on) / (n - object),
    precision,
    lift: precision / (object / n),
    isEmpty: false,
    ...byDescent(saliency, mask, object, total),
  };
}

/** What needs the pixels in the order of their saliency; equal ones are taken together. */
function byDescent(
  saliency: ArrayLike<number>,
  mask: ArrayLike<number>,
  object: number,
  total: number,
): Pick<Alignment, 'averagePrecision' | 'recall'> {
  const order = Uint32Array.from({ length: mask.length }, (_, i) => i).sort(
    (a, b) => (saliency[b] as number) - (saliency[a] as number),
  );
  let [hits, mass, averagePrecision] = [0, 0, 0];
  let recall: number | null = null;
  for (let i = 0; i < order.length; ) {
    const value = saliency[order[i] as number] as number;
    const before = hits;
    let next = i;
    for (; next < order.length && saliency[order[next] as number] === value; next++)
      if (mask[order[next] as number]) hits += 1;
    mass += value * (next - i);
    averagePrecision += ((hits - before) / object) * (hits / next);
    // From above: the first value below which less than a quarter, or just a quarter, is left.
    if (recall === null && total - mass <= LEFT_OUT * total + 1e-12 * total) recall = hits / object;
    i = next;
  }
  return { averagePrecision, recall };
}

/** Several people's masks of one object, pixel by pixel 0 or 1, and what a model looked at. */
interface MaskUncertainty {
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
