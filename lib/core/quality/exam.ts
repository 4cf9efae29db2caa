import type { StageKind } from './answer';
import { meanWithInterval, wilson } from './interval';
import type { Policy } from './policy';
import { addHits, type Hits, isAtLeast, precision, recall } from './score';
import { hitsIn } from './score-check';

type ExamPolicy = Pick<Policy, 'attributeExam' | 'maskExam'>;
type Scores = readonly Record<string, number>[];

export type ExamResult = {
  precision: number | null;
  recall: number | null;
  /** Of the score that is held against the bar: with `maskScore` "size-aware", the stretched one. */
  meanIou: number | null;
  passed: boolean;
};

/** An adaptive exam asks at least this much: fewer items say nothing about the kinds of item left out. */
export const shortestExam = { attributes: 8, masks: 3 };

const asksForMasks = (kind: StageKind) => kind === 'object-mask' || kind === 'part-mask';

/** Held against the bars as a whole: counts are summed over the items before dividing, masks are averaged. */
export function examResult(stageKind: StageKind, scores: Scores, policy: ExamPolicy): ExamResult {
  if (asksForMasks(stageKind)) {
    const meanIou = meanWithInterval(levelsOf(scores))?.value ?? null;
    const passed = meanIou !== null && isAtLeast(meanIou, policy.maskExam.minMeanIou);
    return { precision: null, recall: null, meanIou, passed };
  }
  if (scores.length === 0) return { precision: null, recall: null, meanIou: null, passed: false };
  const hits = hitsOf(scores);
  const result = { precision: precision(hits), recall: recall(hits) };
  const { minPrecision, minRecall } = policy.attributeExam;
  const passed = isAtLeast(result.precision, minPrecision) && isAtLeast(result.recall, minRecall);
  return { ...result, meanIou: null, passed };
}

/** Whether the exam is over. An adaptive one ends early once the interval lies on one side of the bar. */
export function examVerdict(
  stageKind: StageKind,
  scores: Scores,
  policy: ExamPolicy,
): 'passed' | 'failed' | 'go-on' {
  const isMasks = asksForMasks(stageKind);
  const size = isMasks ? policy.maskExam.masks : policy.attributeExam.images;
  if (scores.length >= size) return examResult(stageKind, scores, policy).passed ? 'passed' : 'failed';
  const exam = isMasks ? policy.maskExam : policy.attributeExam;
  const shortest = isMasks ? shortestExam.masks : shortestExam.attributes;
  if (!exam.isAdaptive || scores.length < shortest) return 'go-on';
  const sides = isMasks ? [maskSide(scores, policy)] : attributeSides(scores, policy);
  if (sides.includes('under')) return 'failed';
  return sides.every((side) => side === 'over') ? 'passed' : 'go-on';
}

type Side = 'over' | 'under' | 'on';

function sideOf(interval: { low: number; high: number } | null, bar: number): Side {
  if (!interval) return 'on';
  if (interval.low >= bar) return 'over';
  return interval.high < bar ? 'under' : 'on';
}

const maskSide = (scores: Scores, { maskExam }: ExamPolicy): Side =>
  sideOf(meanWithInterval(levelsOf(scores)), maskExam.minMeanIou);

function attributeSides(scores: Scores, { attributeExam }: ExamPolicy): Side[] {
  const { truePositives, falsePositives, falseNegatives } = hitsOf(scores);
  return [
    sideOf(wilson(truePositives, truePositives + falsePositives), attributeExam.minPrecision),
    sideOf(wilson(truePositives, truePositives + falseNegatives), attributeExam.minRecall),
  ];
}

const levelsOf = (scores: Scores): number[] => scores.map((score) => score.level ?? 0);

const hitsOf = (scores: Scores): Hits => addHits(scores.flatMap((score) => hitsIn(score) ?? []));
