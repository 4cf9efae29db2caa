import { boundaryIou, iou, type Mask } from '@/lib/core/mask';
import { indexVotes, type Vote } from '../aggregate/votes';
import { type Estimate, meanEstimate } from './estimate';
import { gwetAc1 } from './gwet';
import { rawAgreement } from './raw';

/** The answers to one item: a drawing, or null for "nothing to label". */
export type Drawings = { item: string; answers: readonly (Mask | null)[] };

export interface MaskAgreement {
  /** Whether there is something to draw: settled before where it is. */
  readonly detection: { raw: Estimate; ac1: Estimate };
  /** Among those who drew. */
  readonly iou: Estimate;
  readonly boundaryIou: Estimate;
}

const NO_PAIRS = 'No item was drawn by two people.';

export function maskAgreement(items: readonly Drawings[]): MaskAgreement {
  const votes = indexVotes(items.flatMap(detectionVotes), ['drawn', 'nothing']);
  const pairs = items.map((entry) => pairsOf(entry.answers.filter((mask) => mask !== null)));
  const mean = (measure: (a: Mask, b: Mask) => number) =>
    meanEstimate(
      pairs
        .filter((list) => list.length > 0)
        .map((list) => list.reduce((sum, [a, b]) => sum + measure(a, b), 0) / list.length),
      [0, 1],
      NO_PAIRS,
    );
  return {
    detection: { raw: rawAgreement(votes), ac1: gwetAc1(votes) },
    iou: mean(iou),
    boundaryIou: mean(boundaryIou),
  };
}

const detectionVotes = ({ item, answers }: Drawings): Vote[] =>
  answers.map((mask, index) => ({ item, worker: String(index), value: mask ? 'drawn' : 'nothing' }));

function pairsOf(masks: readonly Mask[]): [Mask, Mask][] {
  return masks.flatMap((a, i) => masks.slice(i + 1).map((b): [Mask, Mask] => [a, b]));
}
