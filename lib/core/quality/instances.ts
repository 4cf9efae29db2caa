import {
  area,
  boundingBox,
  decodeCounts,
  encodeCounts,
  intersectionArea,
  iou,
  type Mask,
  merge,
} from '@/lib/core/mask';
import { type LabelFlag, labelFlags } from '@/lib/core/schema/types';
import type { AnswerValue } from './answer';

/**
 * Two outlines show the same instance if their IoU is above this. Of masks that do not overlap, each then has at most
 * one counterpart: Kirillov et al., "Panoptic segmentation", CVPR 2019.
 */
export const MATCH_IOU = 0.5;

type Size = { height: number; width: number };

/** What an answer or a label stores of a drawing. */
export interface StoredDrawing {
  value: { kind: string; instances?: readonly string[] | undefined };
  mask: string | null;
}

/** The stored masks of the instances; none of "nothing to label". */
export const instanceCounts = ({ value, mask }: StoredDrawing): readonly string[] =>
  mask === null ? [] : (value.instances ?? [mask]);

export const hasInstances = ({ value, mask }: StoredDrawing): boolean =>
  mask !== null && value.instances !== undefined;

export const decodeInstances = (drawing: StoredDrawing, { height, width }: Size): Mask[] =>
  instanceCounts(drawing).map((counts) => decodeCounts(counts, height, width));

/** Whether two drawings have the same pixels in the same instances, in any order. */
export function isSameDrawing(a: StoredDrawing, b: StoredDrawing): boolean {
  if (a.mask !== b.mask) return false;
  const [one, other] = [a, b].map((drawing) => [...instanceCounts(drawing)].sort());
  return JSON.stringify(one) === JSON.stringify(other);
}

interface Pair {
  a: number;
  b: number;
  score: number;
}

/**
 * Matches the instances of two drawings one to one, the best pair first. Pairs without a common pixel are never
 * matched.
 */
export function matchInstances(
  a: readonly Mask[],
  b: readonly Mask[],
  measure: (a: Mask, b: Mask) => number = iou,
): Pair[] {
  const boxes = [a, b].map((masks) => masks.map(boundingBox)) as [Box[], Box[]];
  const pairs = a.flatMap((one, i) =>
    b.flatMap((other, j): Pair[] => {
      if (!overlap(boxes[0][i] as Box, boxes[1][j] as Box)) return [];
      const score = measure(one, other);
      return score > 0 ? [{ a: i, b: j, score }] : [];
    }),
  );
  const [usedA, usedB] = [new Set<number>(), new Set<number>()];
  return pairs
    .sort((p, q) => q.score - p.score || p.a - q.a || p.b - q.b)
    .filter((pair) => {
      if (usedA.has(pair.a) || usedB.has(pair.b)) return false;
      usedA.add(pair.a);
      usedB.add(pair.b);
      return true;
    });
}

type Box = ReturnType<typeof boundingBox>;

const overlap = ([ax, ay, aw, ah]: Box, [bx, by, bw, bh]: Box): boolean =>
  ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah;

/**
 * How well two drawings agree about their instances: 2 · Σ score of the matched pairs / (instances of both). Of one
 * instance each, it is their score. Missing, additional, split and merged instances all lower it.
 */
export function instanceScore(
  a: readonly Mask[],
  b: readonly Mask[],
  measure: (a: Mask, b: Mask) => number = iou,
): number {
  if (a.length + b.length === 0) return 1;
  const sum = matchInstances(a, b, measure).reduce((total, { score }) => total + score, 0);
  return (2 * sum) / (a.length + b.length);
}

/** F1 of the instances of two drawings that match with an IoU above `MATCH_IOU`. */
export function instanceF1(a: readonly Mask[], b: readonly Mask[]): number {
  if (a.length + b.length === 0) return 1;
  const matched = matchInstances(a, b).filter(({ score }) => score > MATCH_IOU).length;
  return (2 * matched) / (a.length + b.length);
}

/** One instance as one answer drew it. */
export interface DrawnInstance {
  /** Index of the answer. */
  answer: number;
  mask: Mask;
  counts: string;
}

/** An instance as several answers drew it; at most one member per answer, in the order of the answers. */
export type InstanceGroup = readonly DrawnInstance[];

/**
 * Groups the instances of several drawings, so that each group is one instance of the label. Pairs of different
 * answers with an IoU above `MATCH_IOU` are joined, the best first, unless the group would get two members of one
 * answer. An instance without a counterpart is a group by itself.
 */
export function groupInstances(answers: readonly (readonly Mask[])[]): InstanceGroup[] {
  const all = answers.flatMap((masks, answer) =>
    masks
      .map((mask) => ({ answer, mask, counts: encodeCounts(mask) }))
      .sort((a, b) => compareText(a.counts, b.counts)),
  );
  const group = all.map((_, i) => new Set([i]));
  for (const [i, j] of matchingPairs(all)) {
    const [one, other] = [group[i] as Set<number>, group[j] as Set<number>];
    if (one === other) continue;
    const members = [...one, ...other];
    if (new Set(members.map((at) => all[at]?.answer)).size < members.length) continue;
    for (const at of other) {
      one.add(at);
      group[at] = one;
    }
  }
  return [...new Set(group)].map((members) =>
    [...members].map((at) => all[at] as DrawnInstance).sort((a, b) => a.answer - b.answer),
  );
}

function matchingPairs(all: readonly DrawnInstance[]): [number, number][] {
  const boxes = all.map(({ mask }) => boundingBox(mask));
  const pairs: { pair: [number, number]; score: number; key: string }[] = [];
  all.forEach((one, i) => {
    for (let j = i + 1; j < all.length; j++) {
      const other = all[j] as DrawnInstance;
      if (one.answer === other.answer || !overlap(boxes[i] as Box, boxes[j] as Box)) continue;
      const score = iou(one.mask, other.mask);
      if (score <= MATCH_IOU) continue;
      pairs.push({ pair: [i, j], score, key: [one.counts, other.counts].sort().join(' ') });
    }
  });
  return pairs.sort((a, b) => b.score - a.score || compareText(a.key, b.key)).map(({ pair }) => pair);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Whether two groups describe the same pixels in different ways, such as two wheels drawn as one and as two: they cover
 * more than half of the smaller one together, and no answer has both.
 */
function areAlternatives(a: InstanceGroup, maskA: Mask, b: InstanceGroup, maskB: Mask): boolean {
  if (a.some(({ answer }) => b.some((other) => other.answer === answer))) return false;
  const shared = intersectionArea(maskA, maskB);
  return shared > MATCH_IOU * Math.min(area(maskA), area(maskB));
}

/** Keeps the first of groups that are alternatives of each other. The list is sorted, the best first. */
export function withoutAlternatives<T extends { group: InstanceGroup; mask: Mask }>(list: readonly T[]): T[] {
  const kept: T[] = [];
  for (const each of list)
    if (!kept.some(({ group, mask }) => areAlternatives(group, mask, each.group, each.mask))) kept.push(each);
  return kept;
}

/** A drawing of instances, from left to right, and the value to be stored with it. */
export function drawingOfInstances(
  masks: readonly Mask[],
  flags: readonly LabelFlag[],
): { value: Extract<AnswerValue, { kind: 'mask' }>; mask: Mask; counts: string } {
  const sorted = [...masks].map((mask) => ({ mask, counts: encodeCounts(mask) })).sort(fromLeft);
  const all = merge(masks);
  const value: Extract<AnswerValue, { kind: 'mask' }> = {
    kind: 'mask',
    shapes: sorted.map(({ mask, counts }, i) => ({
      kind: 'bitmap',
      op: 'add',
      ...(i > 0 && { instance: i + 1 }),
      size: [mask.height, mask.width],
      counts,
    })),
    ...(sorted.length > 1 && { instances: sorted.map(({ counts }) => counts) }),
    ...(flags.length > 0 && { flags: labelFlags.filter((flag) => flags.includes(flag)) }),
  };
  return { value, mask: all, counts: encodeCounts(all) };
}

function fromLeft(a: { mask: Mask; counts: string }, b: { mask: Mask; counts: string }): number {
  const [[ax, ay], [bx, by]] = [boundingBox(a.mask), boundingBox(b.mask)];
  return ax - bx || ay - by || compareText(a.counts, b.counts);
}
