import { z } from 'zod';
import { middle } from '../middle';
import { defineRule } from './rule';
import { count, recent, share } from './settings';

/** Of somebody whose own median is that of nobody else, every answer below the limit of the others counts. */
export const tooFast = defineRule({
  id: 'too-fast',
  version: 1,
  title: 'Too fast',
  says: "Many recent answers took under a third of the worker's own median and less than nearly everybody needs.",
  source: 'log-normal times, robust limits: median and median deviation of the logarithms',
  advice:
    'Raise "ownShare" or lower "share" to find more. Switch it off where experts work much faster than others. It pauses only if checks speak against the worker as well.',
  atMost: 'pause',
  errorControl: 'supported',
  params: z.strictObject({
    window: recent(40).describe('latest answers to look at'),
    minAnswers: count(5).describe('fast answers before it speaks'),
    share: share(0.2).describe('share of fast answers'),
    ownShare: share(1 / 3).describe("fast is under this share of the worker's own median"),
  }),
  judge({ answers, pool }, settings) {
    if (!pool) return null;
    const own = middle(answers.map((answer) => answer.activeMs)) ?? 0;
    const limit = own < pool.fifthMs ? pool.fifthMs : Math.min(pool.fifthMs, own * settings.ownShare);
    const latest = answers.slice(-settings.window);
    const fast = latest.filter((answer) => answer.activeMs < limit);
    if (fast.length < settings.minAnswers || fast.length < settings.share * latest.length) return null;
    return {
      isStrong: false,
      reason: 'Many of your recent answers came faster than nearly everybody needs to look at the picture.',
      evidence: fast.map((answer) => answer.id),
    };
  },
});
