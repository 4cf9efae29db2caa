import { mean } from 'd3-array';

/** Alignment of a saliency map with an object mask. Undefined values are null. */
interface Alignment {
  iou: number | null;
  /** With the formula as printed in the paper, which omits the intersection; for reproduction only. */
  iouAsPrinted: number | null;
  dice: number | null;
  /** Mean saliency on the object minus mean saliency on the background. */
  delta: number | null;
  averagePrecision: number | null;
  /** Share of the saliency on the object. */
  precision: number | null;
  /** Share of the object covered by the pixels with 75 % of the saliency. */
  recall: number | null;
  /** Precision relative to uniform saliency. */
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

/** Saliency is non-negative, of any scale; the mask is binary. */
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

/** Measures that need the pixels sorted by saliency; ties are processed together. */
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
    // The highest threshold below which at most a quarter of the saliency remains.
    if (recall === null && total - mass <= LEFT_OUT * total + 1e-12 * total) recall = hits / object;
    i = next;
  }
  return { averagePrecision, recall };
}

/** Agreement of a saliency map with several masks of one object. */
interface MaskUncertainty {
  /** Share of annotators who marked each pixel. */
  soft: Float64Array;
  /** Mean pairwise IoU; null with fewer than two masks, or if all are empty. */
  pairwise: number | null;
  /** IoU with the majority mask. */
  majority: number | null;
  /** IoU on pixels where all annotators agree. */
  certain: number | null;
  /** IoU with the soft mask. */
  softIou: number | null;
  /** Minimum and maximum over annotators. */
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

/** Soft IoU; the usual IoU for binary masks. Null for two empty masks. */
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
