import { z } from 'zod';
import { groupBy } from '../group-by';
import type { HistoryAnswer } from '../history';
import { defineRule } from './rule';
import { count, recent, share } from './settings';

/** Pictures of one class do look alike, so only choices that fill most of the window count. */
export const identicalChoices = defineRule({
  id: 'identical-choices',
  version: 1,
  title: 'Identical choices',
  says: 'Most recent answers choose exactly the same attributes.',
  source: 'repeated attribute vectors, a signal that checks miss',
  advice:
    'Raise "share" where most images of a class have the same attributes. It pauses only if checks speak against the worker as well.',
  atMost: 'pause',
  errorControl: 'supported',
  params: z.strictObject({
    window: recent(40).describe('latest answers to look at'),
    minAnswers: count(20, 5).describe('answers before it speaks'),
    share: share(0.6).describe('share of the most common choices'),
  }),
  judge({ answers }, settings) {
    const latest = answers.filter((answer) => answer.choicesHash !== null).slice(-settings.window);
    const same = mostCommon(latest);
    if (latest.length < settings.minAnswers || same.length < settings.share * latest.length) return null;
    return {
      isStrong: false,
      reason: 'Most of your recent answers choose exactly the same attributes for different pictures.',
      evidence: same.map((answer) => answer.id),
    };
  },
});

function mostCommon(answers: readonly HistoryAnswer[]): HistoryAnswer[] {
  const groups = groupBy(answers, (answer) => answer.choicesHash);
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}
