/** Activations of one image, to find the node that responds to an attribute. */
interface NodeImage {
  id: string;
  /** Activation by node. */
  activations: ArrayLike<number>;
}

/** The images with the highest activation; ties are broken by id, so that the result is deterministic. */
export function selectStrongest(images: readonly NodeImage[], node: number, count: number): NodeImage[] {
  return images
    .toSorted(
      (a, b) => (b.activations[node] as number) - (a.activations[node] as number) || (a.id < b.id ? -1 : 1),
    )
    .slice(0, count);
}

/** A node without positive activations or with constant activations. */
function isDeadNode(images: readonly NodeImage[], node: number): boolean {
  const values = images.map(({ activations }) => activations[node] as number);
  return values.every((value) => value <= 0) || values.every((value) => value === values[0]);
}

/** Thresholds a map at half of its maximum; empty if nothing is positive. */
export function thresholdAtHalfMax(map: ArrayLike<number>): Uint8Array {
  let max = 0;
  for (let i = 0; i < map.length; i++) max = Math.max(max, map[i] as number);
  const seen = new Uint8Array(map.length);
  if (max > 0) for (let i = 0; i < map.length; i++) if ((map[i] as number) >= max / 2) seen[i] = 1;
  return seen;
}

/** Intersection over union of two regions of the same size; 0 where both are empty. */
export function regionIou(seen: ArrayLike<number>, mask: ArrayLike<number>): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < seen.length; i++) {
    if (seen[i] && mask[i]) both += 1;
    if (seen[i] || mask[i]) either += 1;
  }
  return either === 0 ? 0 : both / either;
}

/** IoU of a thresholded node map and a mask. */
export const nodeIou = (map: ArrayLike<number>, mask: ArrayLike<number>): number =>
  regionIou(thresholdAtHalfMax(map), mask);

/** The node with the highest score, the first of equals; null if no node has a score. */
export function bestNode(scores: readonly (number | null)[]): number | null {
  let best: number | null = null;
  scores.forEach((score, node) => {
    if (score !== null && (best === null || score > (scores[best] as number))) best = node;
  });
  return best;
}

/** AUC: probability that a positive has the higher value; ties count half. Null without both classes. */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number | null {
  if (positives.length === 0 || negatives.length === 0) return null;
  let wins = 0;
  for (const p of positives) for (const n of negatives) wins += p > n ? 1 : p === n ? 0.5 : 0;
  return wins / (positives.length * negatives.length);
}

/** An image with its node activations. */
export interface NodeSample extends NodeImage {
  className: string;
  /** Nodes are selected on `train` and measured on `test`. */
  part: 'train' | 'test';
  /** Ids of its attributes; null if unanswered. */
  attributes: readonly string[] | null;
}

/** IoU of node maps and attribute masks; null without a mask. */
export interface NodeOverlaps {
  own(image: string, node: number, attribute: string): number | null;
  /** IoU with the masks of other images of the class: the baseline of position alone. */
  others(image: string, node: number, attribute: string): number | null;
}

export interface NodeRow {
  attribute: string;
  /** Null: all classes. */
  className: string | null;
  /** Null if no node qualifies. */
  node: number | null;
  /** Mean IoU on the selection images; biased upwards by the selection. */
  chosenBy: number | null;
  /** Number of selection images. */
  chosenOn: number;
  /** Test images with the attribute, not used for the selection. */
  tested: { id: string; own: number; others: number | null }[];
  /** AUC of the activation as a detector of the attribute. */
  auc: number | null;
}

export const TOP_IMAGES = 10;
/** Minimum number of selection images with the attribute. */
const MIN_POSITIVES = 5;

interface NodeSettings {
  top?: number;
  minPositives?: number;
}

/** Selects the best node for each attribute of a class and measures it on held-out images. */
export function nodeTable(
  samples: readonly NodeSample[],
  attributes: readonly string[],
  className: string | null,
  overlaps: NodeOverlaps,
  { top = TOP_IMAGES, minPositives = MIN_POSITIVES }: NodeSettings = {},
): NodeRow[] {
  const own = samples.filter((each) => className === null || each.className === className);
  const train = own.filter(({ part }) => part === 'train');
  const test = own.filter(({ part }) => part === 'test');
  const nodes = train[0]?.activations.length ?? 0;
  const chosen = Array.from({ length: nodes }, (_, node) =>
    isDeadNode(train, node) ? null : selectStrongest(train, node, top),
  );
  return attributes.map((attribute) => {
    const scores = chosen.map((images, node) =>
      images ? meanOverlap(images, node, attribute, overlaps, minPositives) : null,
    );
    const node = bestNode(scores);
    const row = { attribute, className, chosenOn: Math.min(top, train.length) };
    if (node === null) return { ...row, node, chosenBy: null, tested: [], auc: null };
    const activations = (wanted: boolean) =>
      test
        .filter((each) => each.attributes !== null && each.attributes.includes(attribute) === wanted)
        .map((each) => each.activations[node] as number);
    return {
      ...row,
      node,
      chosenBy: scores[node] as number,
      tested: test.flatMap(({ id }) => {
        const iou = overlaps.own(id, node, attribute);
        return iou === null ? [] : [{ id, own: iou, others: overlaps.others(id, node, attribute) }];
      }),
      auc: areaUnderCurve(activations(true), activations(false)),
    };
  });
}

/** Images without the attribute count 0, as in the paper; null with too few that have it. */
function meanOverlap(
  images: readonly NodeImage[],
  node: number,
  attribute: string,
  { own }: NodeOverlaps,
  minPositives: number,
): number | null {
  const found = images.map(({ id }) => own(id, node, attribute));
  if (found.filter((each) => each !== null).length < Math.min(minPositives, images.length)) return null;
  return found.reduce<number>((sum, each) => sum + (each ?? 0), 0) / found.length;
}

/** Packs float32 values into base64 text, little-endian, so that a stored row stays small. */
export function packNumbers(values: ArrayLike<number>): string {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (let i = 0; i < values.length; i++) view.setFloat32(4 * i, values[i] as number, true);
  return textOf(view);
}

export function unpackNumbers(text: string): Float32Array {
  const view = viewOf(text);
  return Float32Array.from({ length: view.byteLength / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

const STEPS = 65_535;

/** Packs values from 0 to 1 with 16 bits each. */
export function packShares(values: ArrayLike<number>): string {
  const view = new DataView(new ArrayBuffer(2 * values.length));
  for (let i = 0; i < values.length; i++)
    view.setUint16(2 * i, Math.round(STEPS * (values[i] as number)), true);
  return textOf(view);
}

export function unpackShares(text: string): Float32Array {
  const view = viewOf(text);
  return Float32Array.from({ length: view.byteLength / 2 }, (_, i) => view.getUint16(2 * i, true) / STEPS);
}

function textOf({ buffer }: DataView): string {
  let bytes = '';
  for (const byte of new Uint8Array(buffer as ArrayBuffer)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

function viewOf(text: string): DataView {
  const bytes = atob(text);
  return new DataView(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)).buffer);
}
