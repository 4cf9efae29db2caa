import { areaUnderCurve, bestNode, isDead, type NodeImage, strongest } from './node-attribution';

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

export const TOP = 10;
/** Of the images a node is judged by, so many must have the attribute. */
const LEAST_POSITIVES = 5;

export interface NodeSettings {
  top?: number;
  leastPositives?: number;
}

/** For each attribute the node that stands for it in a class, and how well it does where it was not chosen. */
export function nodeTable(
  samples: readonly NodeSample[],
  attributes: readonly string[],
  className: string | null,
  overlaps: NodeOverlaps,
  { top = TOP, leastPositives = LEAST_POSITIVES }: NodeSettings = {},
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
      images ? meanOverlap(images, node, attribute, overlaps, leastPositives) : null,
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
  leastPositives: number,
): number | null {
  const found = images.map(({ id }) => own(id, node, attribute));
  if (found.filter((each) => each !== null).length < Math.min(leastPositives, images.length)) return null;
  return found.reduce<number>((sum, each) => sum + (each ?? 0), 0) / found.length;
}
