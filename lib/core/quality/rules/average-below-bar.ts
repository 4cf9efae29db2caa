import { z } from 'zod';
import type { Bars, HistoryCheck } from '../history';
import { addHits, isAtLeast, precision, recall } from '../score';
import { hitsIn } from '../score-check';
import { defineRule } from './rule';
import { count } from './settings';

/**
 * The paper monitors each worker's precision, recall and mean IoU on the checks. After how many checks it looks,
 * and that somebody under the bar of the exam is stopped, is ours: the paper is silent.
 */
export const averageBelowBar = defineRule({
  id: 'average-below-bar',
  version: 1,
  title: 'Average under the bar',
  says: 'The plain average over the checks is under the bar of the exam, once enough were seen.',
  source: 'RIVAL10, section 3.2 and appendix B',
  advice: 'Only for a comparison with RIVAL10. It stops good workers by bad luck.',
  atMost: 'end',
  errorControl: 'unknown',
  params: z.strictObject({ minChecks: count(10).describe('checks before it speaks') }),
  judge({ checks, bars }, { minChecks }) {
    if (checks.length < minChecks || !isUnder(checks, bars)) return null;
    return {
      isStrong: true,
      reason: 'On average your answers match those of trusted people less than the exam asks for.',
      evidence: checks.map((check) => check.id),
    };
  },
});

function isUnder(checks: readonly HistoryCheck[], bars: Bars): boolean {
  const hits = addHits(checks.flatMap((check) => hitsIn(check.score) ?? []));
  const levels = checks.flatMap(({ score }) => (score.iou === undefined ? [] : (score.level ?? 0)));
  const isLoose = levels.reduce((sum, level) => sum + level, 0) < bars.iou * levels.length;
  return !isAtLeast(precision(hits), bars.precision) || !isAtLeast(recall(hits), bars.recall) || isLoose;
}
