import { decodeCounts, iou } from '@/lib/mask';
import type { Outcome, WeighedAnswer } from './outcome';
import { certaintyOf, chanceOf } from './votes';

type Size = { height: number; width: number };

/**
 * Whether there is something to draw is settled first, then where it is, among those who drew: the drawing that
 * the others match best stands, and every drawing that matches it at the bar speaks for it. Outlines of two
 * people hardly match by chance.
 */
export function settleMask(answers: readonly WeighedAnswer[], bar: number, size: Size): Outcome {
  const present = chanceOf(answers.map((answer) => ({ ...answer, isFor: answer.mask !== null })));
  const drawn = answers.filter((answer) => answer.mask !== null);
  const middle = present >= 0.5 ? mostMatched(drawn, size) : null;
  if (!middle) return nothing(answers, present);
  const votes = drawn.map((answer, i) => ({ ...answer, isFor: (middle.matches[i] ?? 0) >= bar }));
  const place = chanceOf(votes);
  return {
    value: middle.answer.value,
    mask: middle.answer.mask,
    confidence: Math.min(certaintyOf(present), place),
    posteriors: { present, place },
    supporters: votes.filter((vote) => vote.isFor).map((vote) => vote.workerId),
  };
}

const nothing = (answers: readonly WeighedAnswer[], present: number): Outcome => ({
  value: { kind: 'nothing' },
  mask: null,
  confidence: 1 - present,
  posteriors: { present },
  supporters: answers.filter((answer) => answer.mask === null).map((answer) => answer.workerId),
});

/** The drawing with the highest mean IoU to all, weighed by accuracy, and its IoU with each. */
function mostMatched(drawn: readonly WeighedAnswer[], { height, width }: Size) {
  const masks = drawn.map((answer) => decodeCounts(answer.mask ?? '', height, width));
  const candidates = drawn.map((answer, i) => {
    const matches = masks.map((mask, j) => (i === j ? 1 : iou(masks[i] as typeof mask, mask)));
    const sum = matches.reduce((total, match, j) => total + match * (drawn[j]?.accuracy ?? 0), 0);
    return { answer, matches, sum };
  });
  return candidates.reduce<(typeof candidates)[number] | null>(
    (best, each) => (best === null || each.sum > best.sum ? each : best),
    null,
  );
}
