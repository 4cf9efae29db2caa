import { decodeCounts, iou } from '@/lib/core/mask';
import { type LabelFlag, labelFlags } from '@/lib/core/schema/types';
import type { AnswerValue } from '../answer';
import {
  decodeInstances,
  drawingOfInstances,
  groupInstances,
  hasInstances,
  type InstanceGroup,
  isSameDrawing,
  withoutAlternatives,
} from '../instances';
import {
  explain,
  explainAll,
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
 * probable ones, the one that lies nearest to all. If an answer has several instances, each instance is settled by
 * itself.
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
  if (drawn.some(hasInstances)) return settleInstances(answers, drawn, { bar, size, prior, present });
  const { best, by } = mostProbable(drawn, bar, size, prior.sharedError ?? 0);
  const confidence = present * best.place;
  const supporters = drawn.filter((_, i) => best.matches[i]).map(({ workerId }) => workerId);
  const isByPresence = presence.by !== 'weight';
  return {
    value: withFlags(best.answer.value, votedFlags(drawn)),
    mask: best.answer.mask,
    confidence,
    leastCertain: confidence,
    posteriors: { present, place: best.place },
    supporters,
    explanation: explain({ ...answersIn, agree: supporters.length, by: isByPresence ? presence.by : by }),
  };
}

interface InstanceContext {
  bar: number;
  size: Size;
  prior: StagePrior;
  present: number;
}

/**
 * Settles drawings with several instances. Instances are matched between the answers; every answer votes for the
 * instances that it has and against those that it lacks, and the outline of each is chosen among those who drew it. The
 * confidence is that of the least certain instance: the rates of workers are measured on whole drawings.
 */
function settleInstances(
  answers: readonly WeighedAnswer[],
  drawn: readonly WeighedAnswer[],
  { bar, size, prior, present }: InstanceContext,
): Outcome {
  const settled = groupInstances(drawn.map((answer) => decodeInstances(answer, size))).map((group) =>
    settleInstance(group, answers, drawn, { bar, size, prior, present }),
  );
  const ranked = settled.toSorted(
    (a, b) =>
      compareSupport(b.yes, a.yes)?.difference ??
      compareSupport(a.no, b.no)?.difference ??
      (a.counts < b.counts ? -1 : a.counts > b.counts ? 1 : 0),
  );
  // Something is there, so that of instances which are all doubtful the most probable stays.
  const wanted = ranked.filter(({ existence }) => existence.difference >= 0);
  const accepted = withoutAlternatives(wanted.length > 0 ? wanted : ranked.slice(0, 1));
  const rejected = ranked.filter((each) => !accepted.includes(each));
  const least = (values: readonly number[]) => Math.min(present, ...values);
  const confidence = least([
    ...accepted.map(({ exists, place }) => exists * place),
    ...rejected.map(({ exists }) => 1 - exists),
  ]);
  const flags = votedFlags(drawn);
  const merged = drawingOfInstances(
    accepted.map(({ mask }) => mask),
    flags,
  );
  // The drawing of a worker can still be edited as shapes.
  const own = drawn.find((answer) => isSameDrawing(answer, { value: merged.value, mask: merged.counts }));
  const explanations = [
    ...accepted.flatMap(({ group, existence, agree, by }) => [
      { agree: group.length, answers: answers.length, by: existence.by },
      { agree, answers: group.length, by },
    ]),
    ...rejected.map(({ group, existence }) => ({
      agree: answers.length - group.length,
      answers: answers.length,
      by: existence.by,
    })),
  ].map((decision, i) => ({ id: `${i}`, explanation: explain(decision) }));
  const { contested: _, ...explanation } =
    explainAll(explanations) ?? explain({ agree: 0, answers: 0, by: null });
  return {
    value: own ? withFlags(own.value, flags) : merged.value,
    mask: merged.counts,
    confidence,
    leastCertain: confidence,
    posteriors: {
      present,
      exists: least(accepted.map(({ exists }) => exists)),
      place: Math.min(...accepted.map(({ place }) => place)),
    },
    supporters: drawn.flatMap(({ workerId }, answer) => {
      const isIn = ({ group }: { group: InstanceGroup }) => group.some((member) => member.answer === answer);
      const agrees = accepted.every(({ matching }) => matching.has(answer)) && !rejected.some(isIn);
      return agrees ? [workerId] : [];
    }),
    explanation,
  };
}

/** Settles one instance: whether it is there, and which of its outlines is right. */
function settleInstance(
  group: InstanceGroup,
  answers: readonly WeighedAnswer[],
  drawn: readonly WeighedAnswer[],
  { bar, size, prior }: InstanceContext,
) {
  const members = group.map(({ answer, counts }) => ({ ...(drawn[answer] as WeighedAnswer), mask: counts }));
  const isMember = (answer: WeighedAnswer) => group.some((member) => drawn[member.answer] === answer);
  const votes = answers.map((answer) => ({ ...reliabilityOf(answer), isFor: isMember(answer) }));
  const exists = probabilityTrue(votes, prior.frequencies.present);
  const side = (isFor: boolean, probability: number): Support => {
    const own = votes.filter((vote) => vote.isFor === isFor);
    const weight = own.reduce((sum, { accuracy }) => sum + voteWeight(accuracy), 0);
    return { weight, votes: own.length, probability };
  };
  const [yes, no] = [side(true, exists), side(false, 1 - exists)];
  const { best, by } = mostProbable(members, bar, size, prior.sharedError ?? 0);
  const counts = best.answer.mask ?? '';
  return {
    group,
    exists,
    yes,
    no,
    existence: compareSupport(yes, no) ?? { by: null, difference: 0 },
    place: best.place,
    agree: best.matches.filter(Boolean).length,
    by,
    counts,
    mask: decodeCounts(counts, size.height, size.width),
    /** Indices of the answers whose outline matches the chosen one. */
    matching: new Set(group.filter((_, i) => best.matches[i]).map(({ answer }) => answer)),
  };
}

const flagsIn = (value: AnswerValue): readonly LabelFlag[] =>
  value.kind === 'mask' ? (value.flags ?? []) : [];

/** Flags that the answers with a drawing set by weighted majority; at a tie the flag stays, because somebody saw it. */
function votedFlags(drawn: readonly WeighedAnswer[]): LabelFlag[] {
  return labelFlags.filter((flag) => {
    const [yes, no] = [true, false].map((isFor): Support => {
      const own = drawn.filter(({ value }) => flagsIn(value).includes(flag) === isFor);
      const weight = own.reduce((sum, { accuracy }) => sum + voteWeight(accuracy), 0);
      return { weight, votes: own.length, probability: 0 };
    }) as [Support, Support];
    return yes.votes > 0 && (compareSupport(yes, no)?.difference ?? 0) >= 0;
  });
}

function withFlags(value: AnswerValue, flags: readonly LabelFlag[]): AnswerValue {
  if (value.kind !== 'mask' || flagsIn(value).join() === flags.join()) return value;
  const { flags: _, ...rest } = value;
  return flags.length > 0 ? { ...rest, flags: [...flags] } : rest;
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
