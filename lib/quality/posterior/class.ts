import type { Outcome, WeighedAnswer } from './outcome';
import { chanceOf } from './votes';

/** The most probable of the classes that were named. */
export function settleClass(answers: readonly WeighedAnswer[]): Outcome {
  const votes = answers.flatMap(({ workerId, accuracy, value }) =>
    value.kind === 'class' ? [{ workerId, accuracy, className: value.className }] : [],
  );
  const named = [...new Set(votes.map((vote) => vote.className))];
  const posteriors = Object.fromEntries(
    named.map((name) => [name, chanceOf(votes.map((vote) => ({ ...vote, isFor: vote.className === name })))]),
  );
  const best = named.reduce((a, b) => ((posteriors[b] ?? 0) > (posteriors[a] ?? 0) ? b : a));
  return {
    value: { kind: 'class', className: best },
    mask: null,
    confidence: posteriors[best] ?? 0,
    posteriors,
    supporters: votes.filter((vote) => vote.className === best).map((vote) => vote.workerId),
  };
}
