import { z } from 'zod';
import { groupBy } from '../group-by';
import type { HistoryAnswer } from '../history';
import { median } from '../score';
import { count, defineRule, recent, share } from './rule';

/** The cheapest answer of all; and a mask is asked for only where somebody saw something. */
export const alwaysNothing = defineRule({
  id: 'always-nothing',
  version: 1,
  title: 'Always nothing',
  description: 'Nearly all recent answers say that there is nothing to label.',
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

/** Pictures of one class do look alike, so only choices that fill most of the window count. */
export const identicalChoices = defineRule({
  id: 'identical-choices',
  version: 1,
  title: 'Identical choices',
  description: 'Most recent answers choose exactly the same attributes.',
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

/** Nobody draws an outline twice to a tenth of a pixel by hand. Within an image two parts may share one. */
export const pastedShapes = defineRule({
  id: 'pasted-shapes',
  version: 1,
  title: 'Pasted shapes',
  description: 'The same drawing, wherever it lies, on different images.',
  source: 'hashes of drawings, a signal that checks miss',
  advice: 'Raise "minImages" for videos and series, where an outline fits several images.',
  atMost: 'pause',
  errorControl: 'measured',
  params: z.strictObject({ minImages: count(3).describe('different images with the same drawing') }),
  judge({ answers }, { minImages }) {
    const drawn = answers.filter((answer) => answer.shapesHash !== null);
    const pasted = [...groupBy(drawn, (answer) => answer.shapesHash).values()].filter(
      (same) => new Set(same.map((answer) => answer.imageId)).size >= minImages,
    );
    if (pasted.length === 0) return null;
    return {
      isStrong: true,
      reason: 'The very same outline was submitted for different pictures.',
      evidence: pasted.flat().map((answer) => answer.id),
    };
  },
});

/** Four corners around a wing are a box. Some parts are boxes; nearly all of them are not. */
export const coarseOutlines = defineRule({
  id: 'coarse-outlines',
  version: 1,
  title: 'Four-cornered outlines',
  description: 'Nearly all recent outlines have no more than four corners.',
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

/** Of somebody whose own median is that of nobody else, every answer below the limit of the others counts. */
export const tooFast = defineRule({
  id: 'too-fast',
  version: 1,
  title: 'Too fast',
  description:
    "Many recent answers took under a third of the worker's own median and less than nearly everybody needs.",
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
    const own = median(answers.map((answer) => answer.activeMs)) ?? 0;
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
