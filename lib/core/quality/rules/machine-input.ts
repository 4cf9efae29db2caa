import { z } from 'zod';
import { actsOf, marksOf } from '../interaction';
import { defineRule } from './rule';
import { count, recent, share } from './settings';

/** Fewer presses are not enough to judge. */
const MIN_ACTS = 5;

/**
 * People move in curves with bell-shaped speed and press at uneven intervals; browser drivers interpolate straight
 * lines and wait equally long. One such mark alone is no evidence, because assistive technology causes each of them.
 */
export const machineInput = defineRule({
  id: 'machine-input',
  version: 1,
  title: 'Machine-like pointer and keyboard use',
  says: 'Most recent answers show at least two of: presses in an even rhythm, ruled pointer movements in equal steps, presses without movement between them, events made by a script.',
  source:
    'Flash and Hogan 1985 (bell-shaped speed of reaching), Acien et al. 2022 (BeCAPTCHA-Mouse). Thresholds measured with npm run bench:agents on simulated people',
  advice: 'Raise "minMarks" if workers use assistive technology that triggers it.',
  atMost: 'pause',
  errorControl: 'measured',
  params: z.strictObject({
    window: recent(40).describe('latest answers with five or more presses to look at'),
    minAnswers: count(5).describe('machine-like answers before it applies'),
    share: share(0.5).describe('share of machine-like answers'),
    minMarks: z.number().int().min(2).max(4).default(2).describe('marks that make an answer machine-like'),
  }),
  judge({ answers }, settings) {
    const latest = answers
      .flatMap(({ id, interaction }) =>
        interaction && actsOf(interaction) >= MIN_ACTS ? [{ id, marks: marksOf(interaction).length }] : [],
      )
      .slice(-settings.window);
    const machineLike = latest.filter(({ marks }) => marks >= settings.minMarks);
    if (machineLike.length < settings.minAnswers || machineLike.length < settings.share * latest.length)
      return null;
    return {
      isStrong: machineLike.length >= 2 * settings.minAnswers && machineLike.length >= 0.8 * latest.length,
      reason:
        'Many of your recent answers were entered with movements and pauses as even as those of a program. If you use assistive technology, please tell us: a person will look at it.',
      evidence: machineLike.map(({ id }) => id),
    };
  },
});
