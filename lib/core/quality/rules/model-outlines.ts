import { z } from 'zod';
import { defineRule } from './rule';
import { count, recent, share } from './settings';

/**
 * Outlines by hand reach an IoU of about 0.91 with the truth (docs/assists.md), so 0.995 with the output of a program is
 * no coincidence. Outlines with accepted suggestions of our own smart tools are not compared.
 */
export const modelOutlines = defineRule({
  id: 'model-outlines',
  version: 1,
  title: 'Outlines of a public segmentation model',
  says: 'Recent outlines without accepted suggestions match the raw output of an installed segmentation model almost exactly. A sample is compared in the background.',
  source:
    'Kirillov et al. 2023 (Segment Anything); outlines by hand reach a median IoU of 0.91, npm run bench:assist',
  advice: 'Switch it off if workers may use segmentation tools of their own.',
  atMost: 'pause',
  errorControl: 'measured',
  needs: 'segmentation-model',
  params: z.strictObject({
    window: recent(40).describe('latest compared outlines to look at'),
    minAnswers: count(3).describe('matching outlines before it applies'),
    share: share(0.3).describe('share of matching outlines'),
    minIou: z.number().min(0.9).max(1).default(0.995).describe('IoU from which an outline matches'),
  }),
  judge({ answers }, settings) {
    const compared = answers.filter(({ publicIou, isAssisted }) => publicIou !== null && !isAssisted);
    const latest = compared.slice(-settings.window);
    const matching = latest.filter(({ publicIou }) => (publicIou ?? 0) >= settings.minIou);
    if (matching.length < settings.minAnswers || matching.length < settings.share * latest.length)
      return null;
    return {
      isStrong: matching.length >= 2 * settings.minAnswers,
      reason:
        'Many of your recent outlines are the same as those of a program, to the pixel. Please draw by hand or use the smart tools on our page.',
      evidence: matching.map(({ id }) => id),
    };
  },
});
