import { boundaryIou, iou, type Mask } from '@/lib/core/mask';
import { indexVotes } from '@/lib/core/quality/aggregate';
import { type Estimate, gwetAc1, meanEstimate, rawAgreement } from '@/lib/core/quality/agreement';
import { groupBy } from '@/lib/core/quality/group-by';
import { decodeInstances, hasInstances, instanceF1 } from '@/lib/core/quality/instances';
import { drawingOf } from '../consensus/merger';
import type { AnsweredItem } from '../consensus/read-items';
import { withoutFalseCertainty } from './form-agreement';

export interface DrawingRow {
  target: string;
  /** Whether there is something to draw: settled before where it is. */
  detection: { raw: Estimate; ac1: Estimate };
  /** Of those who drew, the mean over pairs, then over items. */
  iou: Estimate;
  boundaryIou: Estimate;
  /** F1 of matched instances, of items of which somebody drew several. */
  instances: Estimate;
}

/** An item with its drawings compared once, for every table and list that wants the figures. */
export interface ComparedItem {
  item: AnsweredItem;
  drawings: { answerId: string; mask: Mask | null }[];
  /** Mean over the pairs of those who drew; null where fewer than two did. */
  iou: number | null;
  boundaryIou: number | null;
  /** Null if nobody drew several instances. */
  instances: number | null;
}

export function compareDrawings(item: AnsweredItem): ComparedItem {
  const drawings = item.answers.map(({ id, mask }) => ({ answerId: id, mask: drawingOf(mask, item) }));
  const drawn = drawings.flatMap(({ mask }): Mask[] => (mask ? [mask] : []));
  const pairs = drawn.flatMap((a, n) => drawn.slice(n + 1).map((b): [Mask, Mask] => [a, b]));
  const mean = (measure: (a: Mask, b: Mask) => number) =>
    pairs.length > 0 ? pairs.reduce((sum, [a, b]) => sum + measure(a, b), 0) / pairs.length : null;
  return {
    item,
    drawings,
    iou: mean(iou),
    boundaryIou: mean(boundaryIou),
    instances: item.answers.some(hasInstances) ? compareInstances(item) : null,
  };
}

function compareInstances(item: AnsweredItem): number | null {
  const drawn = item.answers.filter(({ mask }) => mask !== null);
  const instances = drawn.map((answer) => decodeInstances(answer, item));
  const pairs = instances.flatMap((a, n) => instances.slice(n + 1).map((b) => instanceF1(a, b)));
  return pairs.length > 0 ? pairs.reduce((sum, f1) => sum + f1, 0) / pairs.length : null;
}

const NO_PAIRS = 'No item was drawn by two people.';

/** By part, those with the most items first. */
export const drawingAgreement = (items: readonly ComparedItem[]): DrawingRow[] =>
  [...groupBy(items, ({ item }) => item.target)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([target, list]) => rowOf(target, list));

export function rowOf(target: string, items: readonly ComparedItem[]): DrawingRow {
  const votes = indexVotes(
    items.flatMap(({ item, drawings }) =>
      drawings.map(({ answerId, mask }) => ({
        item: item.id,
        worker: answerId,
        value: mask ? 'drawn' : 'nothing',
      })),
    ),
    ['drawn', 'nothing'],
  );
  const all = items.flatMap(({ drawings }) => drawings);
  const drawn = all.length > 0 ? all.filter(({ mask }) => mask).length / all.length : 0;
  return {
    target,
    detection: withoutFalseCertainty({ raw: rawAgreement(votes), ac1: gwetAc1(votes) }, drawn),
    iou: meanEstimate(
      items.flatMap((each) => each.iou ?? []),
      [0, 1],
      NO_PAIRS,
    ),
    boundaryIou: meanEstimate(
      items.flatMap((each) => each.boundaryIou ?? []),
      [0, 1],
      NO_PAIRS,
    ),
    instances: meanEstimate(
      items.flatMap((each) => each.instances ?? []),
      [0, 1],
      'No item with several instances was drawn by two people.',
    ),
  };
}

/** 0 where all agree, 1 where nobody does: split about whether it is there, or far apart where it is. */
export function disagreementOf({ drawings, iou: near }: ComparedItem): number {
  const drawn = drawings.filter(({ mask }) => mask).length;
  const n = drawings.length;
  const apart = n < 2 ? 0 : (2 * drawn * (n - drawn)) / (n * (n - 1));
  return Math.max(apart, near === null ? 0 : 1 - near);
}
