'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Id, Slug } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { answerAppeal, decideByHand, workerVerdicts } from '@/lib/services/crowd/trust';

const words = z
  .string()
  .trim()
  .min(1, 'Enter a text. The worker will read it.')
  .max(2000, 'At most 2000 characters.');

const Decision = z.object({
  stageId: z.uuid(),
  verdict: z.enum(workerVerdicts),
  target: z
    .string()
    .max(200)
    .optional()
    .transform((value) => value || null),
  reason: words,
  askAgain: z
    .literal('on')
    .optional()
    .transform((value) => value === 'on'),
});

export const decide = action(
  [Slug, Id, Before, Form],
  async (slug, workerId, _before, form): Promise<FormState & { isDone?: boolean }> => {
    const { actor, project } = await pageProject(slug, 'crowd.manage');
    const state = await submitForm(Decision, form, async (decision) => {
      await decideByHand(database(), actor, { workerId, ...decision });
    });
    revalidatePath(`/projects/${project.slug}/crowd`, 'layout');
    return { ...state, isDone: !state.error };
  },
);

const Answer = z.object({
  appealId: z.uuid(),
  outcome: z.enum(['granted', 'upheld'], 'Choose one.'),
  reply: words,
});

export const answer = action([Slug, Before, Form], async (slug, _before, form): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const state = await submitForm(Answer, form, (input) => answerAppeal(database(), actor, input));
  revalidatePath(`/projects/${project.slug}/crowd`, 'layout');
  return state;
});
