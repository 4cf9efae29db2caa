/** How well what a model looks at lies on the object. Null where a figure is not defined. */
export interface Alignment {
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
  let [object, total, on, most] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [s, m] = [saliency[i] as number, mask[i] as number];
    total += s;
    most = Math.max(most, s);
    if (m) {
      object += 1;
      on += s;
    }
  }
  if (object === 0) return undefinedAlignment;
  if (most <= 0)
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
    if ((saliency[i] as number) >= HALF * most) {
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
