import { z } from 'zod';
import type { HistoryAnswer } from '../history';
import { actsOf, placingEvents } from '../interaction';
import { defineRule } from './rule';
import { count, recent, share } from './settings';

/** Simpler drawings can come from a few gestures. */
const MIN_POINTS = 12;

/**
 * Every answer that is entered on the page takes at least one press, and every vertex drawn by hand at least one event.
 * Workers may also answer through the API with a key of their own. Their answers have no summary, which is why a missing
 * summary counts only where the stage is usually worked on in the browser, and never as strong evidence.
 */
export const missingEvents = defineRule({
  id: 'missing-events',
  version: 1,
  title: 'Answers without the events that make them',
  says: 'Recent answers came with fewer pointer and key events than entering them takes, or without any record of events while others use the annotator.',
  source:
    'Counting argument: one event per vertex drawn by hand, one press per answer. Threshold measured with npm run bench:agents',
  advice: 'Set "countMissing" to 0 if workers may answer through the API.',
  atMost: 'pause',
  errorControl: 'measured',
  params: z.strictObject({
    window: recent(40).describe('latest answers to look at'),
    minAnswers: count(3).describe('answers with too few events before it applies'),
    share: share(0.2).describe('share of answers with too few events'),
    minMissing: count(10).describe('answers without any record before it applies'),
    missingShare: share(0.5).describe('share of answers without any record'),
    countMissing: z
      .number()
      .int()
      .min(0)
      .max(1)
      .default(1)
      .describe('1: answers without any record count. 0: workers may answer through the API'),
  }),
  judge({ answers, browserSince }, settings) {
    const latest = answers.slice(-settings.window);
    const impossible = latest.filter(hasTooFewEvents);
    const missing =
      browserSince && settings.countMissing === 1
        ? latest.filter(({ interaction, at }) => interaction === null && at >= browserSince)
        : [];
    const isImpossible =
      impossible.length >= settings.minAnswers && impossible.length >= settings.share * latest.length;
    const isMissing =
      missing.length >= settings.minMissing && missing.length >= settings.missingShare * latest.length;
    if (!isImpossible && !isMissing) return null;
    return {
      isStrong: isImpossible && impossible.length >= 2 * settings.minAnswers,
      reason: isImpossible
        ? 'Many of your recent answers came without the mouse, touch or key presses that are needed to enter them.'
        : 'Your recent answers were not entered on our page. Please answer on the page, or tell us which tool you need.',
      evidence: [...(isImpossible ? impossible : []), ...(isMissing ? missing : [])].map(({ id }) => id),
    };
  },
});

function hasTooFewEvents({ interaction, points, isAssisted }: HistoryAnswer): boolean {
  if (!interaction) return false;
  if (actsOf(interaction) === 0) return true;
  if (interaction.isResumed || isAssisted || points < MIN_POINTS) return false;
  return placingEvents(interaction) < points;
}
