/** Which node of a layer stands for an attribute: the one whose strongest images have its saliency there. */
interface NodeImage {
  id: string;
  /** By node: how strongly it answers. */
  activations: ArrayLike<number>;
}

/** Of the images of a class; equal activations by id, so that the choice can be repeated. */
export function selectStrongest(images: readonly NodeImage[], node: number, count: number): NodeImage[] {
  return images
    .toSorted(
      (a, b) => (b.activations[node] as number) - (a.activations[node] as number) || (a.id < b.id ? -1 : 1),
    )
    .slice(0, count);
}

/** A node that answers to nothing, or to everything alike, stands for nothing. */
function isDeadNode(images: readonly NodeImage[], node: number): boolean {
  const values = images.map(({ activations }) => activations[node] as number);
  return values.every((value) => value <= 0) || values.every((value) => value === values[0]);
}

/** Where a map is at least half of its greatest value; nowhere where nothing is above 0. */
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

/** Of a node's map, cut at half of its greatest value, and a mask of the same size. */
export const nodeIou = (map: ArrayLike<number>, mask: ArrayLike<number>): number =>
  regionIou(thresholdAtHalfMax(map), mask);

/** The node with the highest mean; of equal ones the first. Null where no node has one. */
export function bestNode(scores: readonly (number | null)[]): number | null {
  let best: number | null = null;
  scores.forEach((score, node) => {
    if (score !== null && (best === null || score > (scores[best] as number))) best = node;
  });
  return best;
}

/** Chance that a positive has the higher value; equal ones count half. Null without both kinds. */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number | null {
  if (positives.length === 0 || negatives.length === 0) return null;
  let wins = 0;
  for (const p of positives) for (const n of negatives) wins += p > n ? 1 : p === n ? 0.5 : 0;
  return wins / (positives.length * negatives.length);
}

/** An image whose nodes were read. */
export interface NodeSample extends NodeImage {
  className: string;
  /** Nodes are chosen on `train` and measured on `test`. */
  part: 'train' | 'test';
  /** Ids of its attributes; null where nobody was asked. */
  attributes: readonly string[] | null;
}

/** How well a node's map lies on an attribute. Null where it is not drawn, or no other image is there. */
export interface NodeOverlaps {
  own(image: string, node: number, attribute: string): number | null;
  /** The same map on what others of its class have there: what the usual place alone gives. */
  others(image: string, node: number, attribute: string): number | null;
}

export interface NodeRow {
  attribute: string;
  /** Null: over all classes. */
  className: string | null;
  /** Null where no node can be named. */
  node: number | null;
  /** Mean IoU on the images it was chosen by: biased, as it is the best of very many. */
  chosenBy: number | null;
  /** Images it was chosen by; fewer than were asked for is told. */
  chosenOn: number;
  /** Test images with the attribute: they had no say in the choice. */
  tested: { id: string; own: number; others: number | null }[];
  /** How well its activation alone tells images with the attribute from those without. */
  auc: number | null;
}

export const TOP_IMAGES = 10;
/** Of the images a node is judged by, so many must have the attribute. */
const MIN_POSITIVES = 5;

interface NodeSettings {
  top?: number;
  minPositives?: number;
}

/** For each attribute the node that stands for it in a class, and how well it does where it was not chosen. */
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

/** Images without the attribute count 0, as in the paper; with too few that have it nothing can be said. */
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

/** Many numbers as one text: a row keeps few names and short texts. Bytes are little-endian, written in base 64. */
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

/** Of 0 to 1, in two bytes each. */
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
