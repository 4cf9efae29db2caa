import { decodeCounts, iou } from '@/lib/core/mask';
import {
  explain,
  noPrior,
  type Outcome,
  reliabilityOf,
  type StagePrior,
  type WeighedAnswer,
} from './explanation';
import {
  clamp,
  compareSupport,
  logit,
  probabilityTrue,
  type Support,
  sigmoid,
  voteWeight,
} from './reliability';

type Size = { height: number; width: number };

/** Probability that two drawings match at the bar: both right, and one of them wrong. Measured; see docs/quality.md. */
const MATCH = { right: 0.96, wrong: 0.08 };

/**
 * Settles first whether there is something to draw, then where it is. "Nothing to label" is a vote like any other.
 * Of the drawings the most probable stands, and every drawing that matches it at the bar supports it; of equally
 * probable ones, the one that lies nearest to all.
 */
export function settleMask(
  answers: readonly WeighedAnswer[],
  bar: number,
  size: Size,
  prior: StagePrior = noPrior,
): Outcome {
  const votes = answers.map((answer) => ({ ...reliabilityOf(answer), isFor: answer.mask !== null }));
  const present = probabilityTrue(votes, prior.frequencies.present);
  const side = (isFor: boolean, probability: number): Support => {
    const own = votes.filter((vote) => vote.isFor === isFor);
    const weight = own.reduce((sum, { accuracy }) => sum + voteWeight(accuracy), 0);
    return { weight, votes: own.length, probability };
  };
  const [yes, no] = [side(true, present), side(false, 1 - present)];
  // At a complete tie the object counts as present, because somebody drew it.
  const presence = compareSupport(yes, no) ?? { by: null, difference: 1 };
  const answersIn = { answers: answers.length, by: presence.by };
  if (presence.difference < 0)
    return {
      value: { kind: 'nothing' },
      mask: null,
      confidence: 1 - present,
      leastCertain: 1 - present,
      posteriors: { present },
      supporters: answers.filter(({ mask }) => mask === null).map(({ workerId }) => workerId),
      explanation: explain({ ...answersIn, agree: no.votes }),
    };
  const drawn = answers.filter((answer) => answer.mask !== null);
  const { best, by } = mostProbable(drawn, bar, size, prior.sharedError ?? 0);
  const confidence = present * best.place;
  const supporters = drawn.filter((_, i) => best.matches[i]).map(({ workerId }) => workerId);
  const isByPresence = presence.by !== 'weight';
  return {
    value: best.answer.value,
    mask: best.answer.mask,
    confidence,
    leastCertain: confidence,
    posteriors: { present, place: best.place },
    supporters,
    explanation: explain({ ...answersIn, agree: supporters.length, by: isByPresence ? presence.by : by }),
  };
}

/** The drawing that is most probably right, and whether anything but a fixed order set it apart. */
function mostProbable(drawn: readonly WeighedAnswer[], bar: number, { height, width }: Size, shared: number) {
  const masks = drawn.map((answer) => decodeCounts(answer.mask ?? '', height, width));
  const weights = drawn.map(({ accuracy }) => voteWeight(accuracy));
  const isTrusted = weights.some((weight) => weight > 0);
  const placements = drawn.map((answer) => reliabilityOf(answer).placement / (1 - shared));
  const candidates = drawn.map((answer, i) => {
    const ious = masks.map((mask, j) => (i === j ? 1 : iou(masks[i] as typeof mask, mask)));
    const matches = ious.map((value) => value >= bar);
    const others = placements.flatMap((placement, j) =>
      i === j ? [] : [{ placement, isMatch: matches[j] as boolean }],
    );
    const { evidence, place } = probabilityOfPlace(placements[i] ?? 0.5, others, shared);
    const near = ious.reduce((sum, value, j) => sum + value * (isTrusted ? (weights[j] ?? 0) : 1), 0);
    const support = { weight: evidence, votes: matches.filter(Boolean).length, probability: near };
    return { answer, matches, place, support };
  });
  const ranked = candidates.toSorted(
    (a, b) =>
      compareSupport(b.support, a.support)?.difference ??
      (a.answer.mask ?? '').localeCompare(b.answer.mask ?? '', 'en'),
  );
  const [best] = ranked as [(typeof candidates)[number]];
  const rival = ranked.find(({ matches }) => !matches[drawn.indexOf(best.answer)]);
  const by = rival ? (compareSupport(best.support, rival.support)?.by ?? null) : 'weight';
  return { best, by };
}

/**
 * Probability that a drawing is right, given which others match it. Wrong drawings rarely match each other, except on
 * difficult images, where everybody errs in the same way: agreement never gives more certainty than the share of
 * those images leaves.
 */
function probabilityOfPlace(
  own: number,
  others: readonly { placement: number; isMatch: boolean }[],
  shared: number,
) {
  const evidence = others.reduce(
    (sum, { placement, isMatch }) => {
      const ifRight = MATCH.wrong + (MATCH.right - MATCH.wrong) * clamp(placement, 0, 0.99);
      return sum + Math.log(isMatch ? ifRight / MATCH.wrong : (1 - ifRight) / (1 - MATCH.wrong));
    },
    logit(clamp(own, 0.01, 0.99)),
  );
  return { evidence, place: (1 - shared) * sigmoid(evidence) };
}
