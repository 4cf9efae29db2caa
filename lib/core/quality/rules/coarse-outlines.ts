import { z } from 'zod';
import { defineRule } from './rule';
import { count, recent, share } from './settings';

/** Four corners around a wing are a box. Some parts are boxes; nearly all of them are not. */
export const coarseOutlines = defineRule({
  id: 'coarse-outlines',
  version: 1,
  title: 'Four-cornered outlines',
  says: 'Nearly all recent outlines have no more than four corners.',
  source: 'corners of outlines, a signal that checks miss',
  advice:
    'Switch it off where most parts are boxes, such as windows or signs. It pauses only if checks speak against the worker as well.',
  atMost: 'pause',
  errorControl: 'supported',
  params: z.strictObject({
    window: recent(40).describe('latest drawings to look at'),
    minAnswers: count(10, 5).describe('drawings before it speaks'),
    share: share(0.8).describe('share of coarse outlines'),
    maxVertices: count(4, 3).describe('corners of a coarse outline'),
  }),
  judge({ answers }, settings) {
    const drawn = answers.filter(({ kind }) => kind === 'mask').slice(-settings.window);
    const coarse = drawn.filter(({ vertices }) => vertices !== null && vertices <= settings.maxVertices);
    if (drawn.length < settings.minAnswers || coarse.length < settings.share * drawn.length) return null;
    return {
      isStrong: false,
      reason: `Nearly all of your recent outlines have ${settings.maxVertices} corners or fewer and do not follow the shape.`,
      evidence: coarse.map((answer) => answer.id),
    };
  },
});
