import { z } from 'zod';
import { defineRule } from './rule';
import { count, recent, share } from './settings';

/** The cheapest answer of all; and a mask is asked for only where somebody saw something. */
export const alwaysNothing = defineRule({
  id: 'always-nothing',
  version: 1,
  title: 'Always nothing',
  says: 'Nearly all recent answers say that there is nothing to label.',
  source: 'rate of "nothing to label", a signal that checks miss',
  advice:
    'Raise "share" where most images really have nothing to label. It pauses only if checks speak against the worker as well.',
  atMost: 'pause',
  errorControl: 'supported',
  params: z.strictObject({
    window: recent(40).describe('latest answers to look at'),
    minAnswers: count(15, 5).describe('answers before it speaks'),
    share: share(0.8).describe('share that says nothing'),
  }),
  judge({ answers }, settings) {
    const asked = answers.filter(({ kind }) => kind === 'mask' || kind === 'nothing');
    const latest = asked.slice(-settings.window);
    const nothing = latest.filter(({ kind }) => kind === 'nothing');
    if (latest.length < settings.minAnswers || nothing.length < settings.share * latest.length) return null;
    return {
      isStrong: false,
      reason:
        'Nearly all of your recent answers say that there is nothing to label where others saw something.',
      evidence: nothing.map((answer) => answer.id),
    };
  },
});
