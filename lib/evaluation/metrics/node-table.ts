import { stream } from '../random/stream';
import { areaUnderCurve, bestNode, isDead, type NodeImage, nodeIou, strongest } from './node-attribution';

/** An image whose nodes were read. */
export interface NodeSample extends NodeImage {
  className: string;
  /** Nodes are chosen on `train` and measured on `test`. */
  part: 'train' | 'test';
  /** Ids of its attributes; null where nobody was asked. */
  attributes: readonly string[] | null;
}

/** What is only needed of few images and therefore asked for: maps are large. */
export interface NodeSources {
  /** Of a node on an image, at the size of the masks. */
  map(image: string, node: number): ArrayLike<number>;
  /** Of an attribute; null where nobody drew it. */
  mask(image: string, attribute: string): ArrayLike<number> | null;
}

export interface NodeRow {
  attribute: string;
  /** Null: over all classes. */
  className: string | null;
  node: number | null;
  /** Mean IoU on the images it was chosen by: biased, as it is the best of very many. */
  chosenBy: number | null;
  /** Images it was chosen by; fewer than were asked for is told. */
  chosenOn: number;
  /** Mean IoU on test images with the attribute, which had no say in the choice. */
  iou: number | null;
  ious: number[];
  n: number;
  /** The same with masks of other images: what position alone gives. */
  chance: { mean: number; high: number; p: number } | null;
  /** How well its activation alone tells images with the attribute from those without. */
  auc: number | null;
}

export const TOP = 10;
/** Of the images a node is judged by, so many must have the attribute. */
const LEAST_POSITIVES = 5;
const SHUFFLES = 200;

export interface NodeSettings {
  top?: number;
  leastPositives?: number;
  seed?: number;
  shuffles?: number;
}

/** For each attribute the node that stands for it in a class, and how well it does where it was not chosen. */
export function nodeTable(
  samples: readonly NodeSample[],
  attributes: readonly string[],
  className: string | null,
  sources: NodeSources,
  { top = TOP, leastPositives = LEAST_POSITIVES, seed = 0, shuffles = SHUFFLES }: NodeSettings = {},
): NodeRow[] {
  const own = samples.filter((each) => className === null || each.className === className);
  const train = own.filter(({ part }) => part === 'train');
  const test = own.filter(({ part }) => part === 'test');
  const nodes = train[0]?.activations.length ?? 0;
  const chosen = Array.from({ length: nodes }, (_, node) =>
    isDead(train, node) ? null : strongest(train, node, top),
  );
  return attributes.map((attribute) => {
    const scores = chosen.map((images, node) =>
      images ? meanIou(images, node, attribute, sources, leastPositives) : null,
    );
    const node = bestNode(scores);
    const has = (each: NodeSample) => each.attributes?.includes(attribute) === true;
    const drawn = test.flatMap((each) => {
      const mask = has(each) ? sources.mask(each.id, attribute) : null;
      return mask ? [{ id: each.id, mask }] : [];
    });
    const row = {
      attribute,
      className,
      node,
      chosenBy: node === null ? null : (scores[node] as number),
      chosenOn: Math.min(top, train.length),
    };
    if (node === null) return { ...row, iou: null, ious: [], n: 0, chance: null, auc: null };
    const maps = drawn.map(({ id }) => sources.map(id, node));
    const table = maps.map((map) => drawn.map(({ mask }) => nodeIou(map, mask)));
    const ious = table.map((ious, i) => ious[i] as number);
    const activations = (wanted: boolean) =>
      test
        .filter((each) => each.attributes !== null && has(each) === wanted)
        .map((each) => each.activations[node] as number);
    return {
      ...row,
      iou: mean(ious),
      ious,
      n: ious.length,
      chance: shuffled(table, shuffles, `tessera|${seed}|nodes|${className ?? ''}|${attribute}`),
      auc: areaUnderCurve(activations(true), activations(false)),
    };
  });
}

/** Which images' maps `nodeTable` will ask for: the others need not be run again. */
export function imagesForNodes(
  samples: readonly NodeSample[],
  className: string | null,
  { top = TOP }: Pick<NodeSettings, 'top'> = {},
): Set<string> {
  const own = samples.filter((each) => className === null || each.className === className);
  const train = own.filter(({ part }) => part === 'train');
  const nodes = train[0]?.activations.length ?? 0;
  const found = new Set(own.filter(({ part }) => part === 'test').map(({ id }) => id));
  for (let node = 0; node < nodes; node++)
    if (!isDead(train, node)) for (const { id } of strongest(train, node, top)) found.add(id);
  return found;
}

/** Images without the attribute count 0, as in the paper; with too few that have it nothing can be said. */
function meanIou(
  images: readonly NodeImage[],
  node: number,
  attribute: string,
  { map, mask }: NodeSources,
  leastPositives: number,
): number | null {
  const masks = images.map(({ id }) => mask(id, attribute));
  if (masks.filter((each) => each !== null).length < Math.min(leastPositives, images.length)) return null;
  return mean(images.map(({ id }, i) => (masks[i] ? nodeIou(map(id, node), masks[i]) : 0)));
}

/** Mean IoU when every image gets the mask of another by chance: its mean, its 97.5 % point, and how often it is as good. */
function shuffled(table: readonly number[][], times: number, key: string): NodeRow['chance'] {
  const n = table.length;
  if (n < 2 || times < 1) return null;
  const observed = mean(table.map((ious, i) => ious[i] as number)) as number;
  const chance = stream(key);
  const found = Array.from({ length: times }, () => {
    const order = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const other = chance.below(i + 1);
      [order[i], order[other]] = [order[other] as number, order[i] as number];
    }
    return mean(table.map((ious, i) => ious[order[i] as number] as number)) as number;
  }).sort((a, b) => a - b);
  const asGood = found.filter((value) => value >= observed - 1e-12).length;
  return {
    mean: mean(found) as number,
    high: found[Math.min(times - 1, Math.floor(0.975 * times))] as number,
    // The order as it is counts as one of them, so that it is never 0.
    p: (1 + asGood) / (1 + times),
  };
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
