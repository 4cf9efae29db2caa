/** Which node of a layer stands for an attribute: the one whose strongest images have its saliency there. */
export interface NodeImage {
  id: string;
  /** By node: how strongly it answers. */
  activations: ArrayLike<number>;
}

/** Of the images of a class; equal activations by id, so that the choice can be repeated. */
export function strongest(images: readonly NodeImage[], node: number, count: number): NodeImage[] {
  return images
    .toSorted(
      (a, b) => (b.activations[node] as number) - (a.activations[node] as number) || (a.id < b.id ? -1 : 1),
    )
    .slice(0, count);
}

/** A node that answers to nothing, or to everything alike, stands for nothing. */
export function isDead(images: readonly NodeImage[], node: number): boolean {
  const values = images.map(({ activations }) => activations[node] as number);
  return values.every((value) => value <= 0) || values.every((value) => value === values[0]);
}

/** Where a map is at least half of its greatest value; nowhere where nothing is above 0. */
export function halfOfMost(map: ArrayLike<number>): Uint8Array {
  let most = 0;
  for (let i = 0; i < map.length; i++) most = Math.max(most, map[i] as number);
  const seen = new Uint8Array(map.length);
  if (most > 0) for (let i = 0; i < map.length; i++) if ((map[i] as number) >= most / 2) seen[i] = 1;
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
  regionIou(halfOfMost(map), mask);

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
