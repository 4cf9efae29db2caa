import { z } from 'zod';
import { binomialCdf } from '../distributions';
import type { HistoryAnswer } from '../history';
import { actsOf, marksOf, placingEvents } from '../interaction';
import { count, defineRule, probability, recent, share } from './rule';

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
  description:
    'Recent answers came with fewer pointer and key events than entering them takes, or without any record of events while others use the annotator.',
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
  description:
    'Most recent answers show at least two of: presses in an even rhythm, ruled pointer movements in equal steps, presses without movement between them, events made by a script.',
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

/**
 * Each item carries a text with a random code that is shown to nobody: not on the screen and not in the accessibility
 * tree. Repeating the code takes a program that reads the source of the page or the API and does what it finds there.
 */
export const repeatedCode = defineRule({
  id: 'repeated-code',
  version: 1,
  title: 'Followed a text that only programs can read',
  description:
    'Answers repeat the random code of an instruction that is hidden from people and from assistive technology.',
  source:
    'Affonso 2026, Journal of Consumer Research (cognitive traps for AI agents); prompt injection as a probe',
  advice: 'Leave it on. It cannot be triggered by accident.',
  atMost: 'pause',
  errorControl: 'measured',
  params: z.strictObject({
    minAnswers: z.number().int().min(1).max(1000).default(1).describe('answers that repeat their code'),
  }),
  judge({ answers }, { minAnswers }) {
    const repeated = answers.filter((answer) => answer.repeatsCode);
    if (repeated.length < minAnswers) return null;
    return {
      isStrong: true,
      reason:
        'Some of your answers contain a code from a text that is meant for programs only. Every answer has to be your own work.',
      evidence: repeated.map(({ id }) => id),
    };
  },
});

/**
 * Outlines by hand reach an IoU of about 0.91 with the truth (docs/assists.md), so 0.995 with the output of a program is
 * no coincidence. Outlines with accepted suggestions of our own smart tools are not compared.
 */
export const modelOutlines = defineRule({
  id: 'model-outlines',
  version: 1,
  title: 'Outlines of a public segmentation model',
  description:
    'Recent outlines without accepted suggestions match the raw output of an installed segmentation model almost exactly. A sample is compared in the background.',
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

/** The model is wrong on a gold item below this level, and trusted people are right above the other. */
const WRONG_BELOW = 0.5;
const RIGHT_FROM = 0.7;
/** From this agreement with the model on, an answer makes the model's mistake. */
const SAME_FROM = 0.8;
/** Strong evidence is this much rarer than ordinary evidence. */
const STRONG = 100;

/**
 * Gold on which the project's promoted model is wrong while people are right. People err on other items than models and
 * in other ways, so somebody who often repeats the mistake of the model probably does not look at the images.
 */
export const modelMistakes = defineRule({
  id: 'model-mistakes',
  version: 1,
  title: 'Mistakes of a model',
  description:
    'On checks that the promoted model gets wrong and people get right, the answers repeat the mistake of the model more often than people do.',
  source:
    'Geirhos, Meding and Wichmann 2020 (error consistency of people and networks); exact binomial test, Clopper and Pearson 1934',
  advice: 'Raise "usual" if people and your model find the same images hard.',
  atMost: 'pause',
  errorControl: 'measured',
  needs: 'promoted-model',
  params: z.strictObject({
    minMistakes: count(3).describe('repeated mistakes before it applies'),
    usual: probability(0.1).describe('share of the mistakes of the model that a person repeats'),
    error: probability(0.001).describe('probability to suspect a person wrongly'),
  }),
  judge({ checks }, { minMistakes, usual, error }) {
    const hard = checks.flatMap(({ id, model, expected }) =>
      model && model.level < WRONG_BELOW && (expected ?? 1) >= RIGHT_FROM ? [{ id, ...model }] : [],
    );
    const same = hard.filter(({ agreement }) => agreement >= SAME_FROM);
    const rarity = 1 - binomialCdf(same.length - 1, hard.length, usual);
    if (same.length < minMistakes || rarity > error) return null;
    return {
      isStrong: rarity <= error / STRONG,
      reason: 'Several of your answers repeat mistakes that programs make and people do not.',
      evidence: same.map(({ id }) => id),
    };
  },
});
