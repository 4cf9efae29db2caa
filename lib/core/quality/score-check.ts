import { DEFAULT_SIZE_AWARE_RULE, decodeCounts, iou, type Mask, sizeAwareScore } from '@/lib/core/mask';
import { NONE } from '@/lib/core/schema';
import type { AnswerValue, StageKind } from './answer';
import { binomialCdf } from './distributions';
import { decodeInstances, hasInstances, instanceScore } from './instances';
import type { Policy } from './policy';
import { countHits, type Hits, precision, recall } from './score';

export type Scored = { value: AnswerValue; mask: string | null };

type CheckInput = {
  stageKind: StageKind;
  answer: Scored;
  gold: Scored;
  height: number;
  width: number;
  policy: Policy;
};

/**
 * `score.level` in [0, 1] is the one number that is compared between workers and held against a bar. One item
 * says little, so a check is failed only by an answer that a worker exactly at the bar would give less than one
 * time in ten: somebody at the bar passes nine of ten checks, which is the "good" of the sequential test.
 */
export type CheckScore = { score: Record<string, number>; passed: boolean };

/** Chance that an answer this poor comes from a worker exactly at the bar. */
const RARE = 0.1;

/** 90 % point of the normal distribution, times the spread of one worker's IoU between images (measured: 0.15). */
const IOU_SLACK = 1.2816 * 0.15;

export function scoreCheck(input: CheckInput): CheckScore {
  if (input.stageKind === 'attributes') return scoreAttributes(input);
  if (input.stageKind === 'oracle') return scoreClass(input);
  return scoreMask(input);
}

/** The attributes that an answer says are there; "none" says that nothing is. */
export function positivesOf(value: AnswerValue): string[] {
  return value.kind === 'attributes'
    ? Object.values(value.choices)
        .flat()
        .filter((id) => id !== NONE)
    : [];
}

function scoreAttributes({ answer, gold, policy }: CheckInput): CheckScore {
  const [marked, truth] = [positivesOf(answer.value), positivesOf(gold.value)];
  const hits = countHits(marked, truth);
  const { minPrecision, minRecall } = policy.attributeExam;
  const { truePositives, falsePositives, falseNegatives } = hits;
  const isRare = (others: number, bar: number) =>
    binomialCdf(truePositives, truePositives + others, bar) < RARE;
  const passed = !isRare(falseNegatives, minRecall) && !isRare(falsePositives, minPrecision);
  return { score: { ...hitScore(hits), ...hitKeys(marked, truth) }, passed };
}

function scoreClass({ answer, gold }: CheckInput): CheckScore {
  const nameOf = ({ value }: Scored) => (value.kind === 'class' ? [value.className] : []);
  const hits = countHits(nameOf(answer), nameOf(gold));
  return { score: hitScore(hits), passed: hits.truePositives === 1 };
}

/**
 * Whether there is something to draw comes first: drawing nothing where something is, or the reverse, scores 0. If
 * either side has several instances, the score is the mean of the score of all pixels and that of the matched instances
 * (`instanceScore`), so that two wheels drawn as one score neither fully nor 0. Of single instances both are the same.
 */
function scoreMask({ answer, gold, height, width, policy }: CheckInput): CheckScore {
  const [drawn, truth] = [answer.mask, gold.mask].map((counts) =>
    counts === null ? null : decodeCounts(counts, height, width),
  );
  const bar = policy.maskExam.minMeanIou;
  const areInstances = drawn && truth && (hasInstances(answer) || hasInstances(gold));
  const [own, wanted] = areInstances
    ? [answer, gold].map((side) => decodeInstances(side, { height, width }))
    : [];
  const scoreBy = (measure: (answer: Mask, truth: Mask) => number): number => {
    if (!drawn || !truth) return Number(!drawn && !truth);
    const pixels = measure(drawn, truth);
    return own && wanted ? (pixels + instanceScore(own, wanted, measure)) / 2 : pixels;
  };
  const plain = scoreBy(iou);
  const sizeAware = scoreBy((a, b) => scoreAware(a, b, bar));
  const level = policy.maskScore === 'size-aware' ? sizeAware : plain;
  return {
    score: {
      level,
      iou: own && drawn && truth ? iou(drawn, truth) : plain,
      sizeAware,
      ...(own && wanted && { instances: instanceScore(own, wanted) }),
    },
    passed: level >= bar - IOU_SLACK,
  };
}

/** The stretch of small parts needs a bar inside (0, 1); at its ends every IoU is its own score. */
const scoreAware = (answer: Mask, truth: Mask, bar: number): number =>
  bar > 0 && bar < 1
    ? sizeAwareScore(answer, truth, { ...DEFAULT_SIZE_AWARE_RULE, bar })
    : iou(answer, truth);

function hitScore(hits: Hits): Record<string, number> {
  const { truePositives, falsePositives, falseNegatives } = hits;
  const all = 2 * truePositives + falsePositives + falseNegatives;
  const level = all === 0 ? 1 : (2 * truePositives) / all;
  const [precise, recalled] = [precision(hits), recall(hits)];
  return {
    level,
    ...hits,
    ...(precise !== null && { precision: precise }),
    ...(recalled !== null && { recall: recalled }),
  };
}

/** What became of each attribute, as keys of a score: `right:ears`, `wrong:tail`, `missed:wings`. */
function hitKeys(marked: readonly string[], truth: readonly string[]): Record<string, number> {
  const [given, right] = [new Set(marked), new Set(truth)];
  return Object.fromEntries(
    [...new Set([...given, ...right])].map((id) => {
      const kind = !given.has(id) ? 'missed' : right.has(id) ? 'right' : 'wrong';
      return [`${kind}:${id}`, 1];
    }),
  );
}

/** The counts of a stored score; null where it is of a mask. */
export function hitsIn(score: Record<string, number>): Hits | null {
  const { truePositives, falsePositives, falseNegatives } = score;
  if (truePositives === undefined || falsePositives === undefined || falseNegatives === undefined)
    return null;
  return { truePositives, falsePositives, falseNegatives };
}

/** The counts of a stored score by attribute. */
export function hitsByAttribute(score: Record<string, number>): Map<string, Hits> {
  const found = new Map<string, Hits>();
  for (const [key, times] of Object.entries(score)) {
    const [kind, id] = splitKey(key);
    if (id === undefined) continue;
    const of = (name: string) => (kind === name ? times : 0);
    found.set(id, { truePositives: of('right'), falsePositives: of('wrong'), falseNegatives: of('missed') });
  }
  return found;
}

/** At the first colon, for the id of an attribute may hold one as well. */
function splitKey(key: string): [string, string | undefined] {
  const at = key.indexOf(':');
  return at < 0 ? [key, undefined] : [key.slice(0, at), key.slice(at + 1)];
}

/** How a worker's score compares with the bar. Workers learn nothing else about hidden checks. */
export const scoreBands = ['high', 'close', 'low'] as const;
export type ScoreBand = (typeof scoreBands)[number];

/** Distance from the bar within which a score counts as close to it. */
const CLOSE = 0.05;

/** The band of the worst measure. A measure that is undefined (nothing marked) does not count. */
export function scoreBandOf(measures: readonly { value: number | null; bar: number }[]): ScoreBand {
  const margins = measures.flatMap(({ value, bar }) => (value === null ? [] : [value - bar]));
  if (margins.length === 0) return 'close';
  const worst = Math.min(...margins);
  if (worst >= CLOSE) return 'high';
  return worst >= -CLOSE ? 'close' : 'low';
}
