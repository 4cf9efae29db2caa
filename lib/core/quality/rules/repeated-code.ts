import { z } from 'zod';
import { defineRule } from './rule';

/**
 * Each item carries a text with a random code that is shown to nobody: not on the screen and not in the accessibility
 * tree. Repeating the code takes a program that reads the source of the page or the API and does what it finds there.
 */
export const repeatedCode = defineRule({
  id: 'repeated-code',
  version: 1,
  title: 'Followed a text that only programs can read',
  says: 'Answers repeat the random code of an instruction that is hidden from people and from assistive technology.',
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
