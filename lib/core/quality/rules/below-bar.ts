import { z } from 'zod';
import { isReached, measureEvidence, type SequentialTest, shareOfLimit, stageOutcomes } from '../evidence';
import type { HistoryCheck, WorkerHistory } from '../history';
import { type Hits, precision, recall } from '../score';
import { hitsIn } from '../score-check';
import { defineTestRule } from './rule';
import { careerError, leaning } from './settings';

type Measure = {
  name: string;
  bar: number;
  valueIn(check: HistoryCheck): number | null;
  tell(value: string, bar: string): string;
};

type BarTest = SequentialTest & { tell: Measure['tell']; low: string[] };

export const belowBar = defineTestRule({
  id: 'below-bar',
  version: 2,
  title: 'Score under the bar',
  says: 'Sequential tests of the mean precision, the mean recall and the mean IoU per image against the bars of the exam.',
  advice:
    'Finds work that is poor everywhere but seldom bad enough to fail a check. Change the bars of the exam rather than this rule: they apply to both.',
  source: "RIVAL10's bars (section 3.2); Waudby-Smith and Ramdas 2023. See docs/methods.md",
  atMost: 'end',
  params: z.strictObject({ error: careerError(0.005), leaning: leaning() }),
  tests: (history, { error }): BarTest[] => {
    const measures = measuresOf(history);
    return measures.map(({ name, bar, valueIn, tell }) => ({
      ...stageOutcomes(history, history.checks, valueIn),
      measure: name,
      target: null,
      good: bar,
      error: error / history.stageCount / measures.length,
      tell,
      // Answers that pull the mean down, not those that happen to be checked beside them.
      low: history.checks.filter((check) => (valueIn(check) ?? 1) < bar).map(({ id }) => id),
    }));
  },
  find: (tests, params) => {
    const found = tests
      .map((test) => ({ test, evidence: measureEvidence(test) }))
      .filter(({ evidence }) => isReached(evidence) || shareOfLimit(evidence) >= params.leaning);
    if (found.length === 0) return [];
    return [
      {
        isStrong: found.some(({ evidence }) => isReached(evidence)),
        reason: found
          .map(({ test, evidence }) => test.tell(percent(evidence.mean ?? 0), percent(test.good)))
          .join(' '),
        evidence: [...new Set(found.flatMap(({ test }) => test.low))],
      },
    ];
  },
});

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** Of one form; null where nothing was marked or nothing is there. */
function shareOf(score: Record<string, number>, of: (hits: Hits) => number | null): number | null {
  const hits = hitsIn(score);
  return hits && of(hits);
}

/** A bar of 0 cannot be missed, and one of 1 would stop everybody. */
const canBeTested = ({ bar }: Measure) => bar > 0 && bar < 1;

function measuresOf({ bars, checks }: WorkerHistory): Measure[] {
  const drawsMasks = checks.some(({ score }) => score.iou !== undefined);
  const outlines: Measure = {
    name: 'IoU',
    bar: bars.iou,
    valueIn: ({ score }) => (score.iou === undefined ? null : (score.level ?? 0)),
    tell: (value, bar) => `Your outlines match by ${value} on average; the bar is ${bar}.`,
  };
  const ofMarked: Measure = {
    name: 'Precision',
    bar: bars.precision,
    valueIn: ({ score }) => shareOf(score, precision),
    tell: (value, bar) => `Of what you mark, ${value} is there; the bar is ${bar}.`,
  };
  const ofThere: Measure = {
    name: 'Recall',
    bar: bars.recall,
    valueIn: ({ score }) => shareOf(score, recall),
    tell: (value, bar) => `Of what is there, you mark ${value}; the bar is ${bar}.`,
  };
  return (drawsMasks ? [outlines] : [ofMarked, ofThere]).filter(canBeTested);
}
