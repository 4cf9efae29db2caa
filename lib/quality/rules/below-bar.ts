import { z } from 'zod';
import type { Bars, HistoryCheck } from '../history';
import { type Share, wilson, Z99 } from '../interval';
import { meanWithInterval } from '../mean';
import { addHits } from '../score';
import { hitsIn } from '../score-check';
import { defineRule } from './rule';
import { count } from './settings';

type Measure = {
  bar: number;
  /** The 95 % interval leads to a step on the ladder, the 99 % interval is strong evidence. */
  usual: Share | null;
  wide: Share | null;
  tell(value: string, bar: string): string;
};

export const belowBar = defineRule({
  id: 'below-bar',
  version: 1,
  title: 'Score under the bar',
  says: 'Precision, recall or mean IoU over the checks: not the average but its whole interval is under the bar.',
  source: "RIVAL10's bars (section 3.2), Wilson 1927 and Student 1908 for the intervals",
  atMost: 'end',
  params: z.strictObject({ minChecks: count(5).describe('checks before it speaks') }),
  judge({ checks, bars }, { minChecks }) {
    if (checks.length < minChecks) return null;
    const under = measuresOf(checks, bars).filter(({ usual, bar }) => isUnder(usual, bar));
    if (under.length === 0) return null;
    return {
      isStrong: under.some(({ wide, bar }) => isUnder(wide, bar)),
      reason: under.map(({ tell, usual, bar }) => tell(percent(usual?.value ?? 0), percent(bar))).join(' '),
      evidence: checks.filter((check) => pullsDown(check, bars)).map((check) => check.id),
    };
  },
});

const isUnder = (interval: Share | null, bar: number) => interval !== null && interval.high < bar;

const percent = (share: number) => `${Math.round(100 * share)} %`;

function measuresOf(checks: readonly HistoryCheck[], bars: Bars): Measure[] {
  const { truePositives, falsePositives, falseNegatives } = addHits(
    checks.flatMap((check) => hitsIn(check.score) ?? []),
  );
  const levels = checks.flatMap(({ score }) => (score.iou === undefined ? [] : (score.level ?? 0)));
  const share = (others: number) => ({
    usual: wilson(truePositives, truePositives + others),
    wide: wilson(truePositives, truePositives + others, Z99),
  });
  return [
    {
      bar: bars.precision,
      ...share(falsePositives),
      tell: (value, bar) => `Of what you mark, ${value} is there; the bar is ${bar}.`,
    },
    {
      bar: bars.recall,
      ...share(falseNegatives),
      tell: (value, bar) => `Of what is there, you mark ${value}; the bar is ${bar}.`,
    },
    {
      bar: bars.iou,
      usual: meanWithInterval(levels),
      wide: meanWithInterval(levels, 0.99),
      tell: (value, bar) => `Your outlines match by ${value} on average; the bar is ${bar}.`,
    },
  ];
}

/** Answers that pull the score down, not those that happen to be checked beside them. */
function pullsDown({ score }: HistoryCheck, bars: Bars): boolean {
  if (score.iou !== undefined) return (score.level ?? 0) < bars.iou;
  return (score.precision ?? 1) < bars.precision || (score.recall ?? 1) < bars.recall;
}
