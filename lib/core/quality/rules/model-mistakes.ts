import { z } from 'zod';
import { binomialCdf } from '../distributions';
import { defineRule } from './rule';
import { count, probability } from './settings';

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
  says: 'On checks that the promoted model gets wrong and people get right, the answers repeat the mistake of the model more often than people do.',
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
