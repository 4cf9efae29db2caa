'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { answerAppeal, decideByHand, workerVerdicts } from '@/lib/crowd/trust';

const Slug = z.string().min(1).max(80);
const words = z
  .string()
  .trim()
  .min(1, 'Write it down: the person reads it.')
  .max(2000, 'At most 2000 characters.');

const Decision = z.object({
  stageId: z.uuid(),
  verdict: z.enum(workerVerdicts),
  reason: words,
  askAgain: z
    .literal('on')
    .optional()
    .transform((value) => value === 'on'),
});

export async function decide(
  slug: string,
  workerId: string,
  _before: FormState & { isDone?: boolean },
  form: FormData,
): Promise<FormState & { isDone?: boolean }> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'crowd.manage');
  const state = await submitForm(Decision, form, async (decision) => {
    await decideByHand(database(), actor, { workerId: z.uuid().parse(workerId), ...decision });
  });
  revalidatePath(`/projects/${project.slug}/crowd`, 'layout');
  return { ...state, isDone: !state.error };
}

const Answer = z.object({
  appealId: z.uuid(),
  outcome: z.enum(['granted', 'upheld'], 'Choose one.'),
  reply: words,
});

export async function answer(slug: string, _before: FormState, form: FormData): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'crowd.manage');
  const state = await submitForm(Answer, form, (input) => answerAppeal(database(), actor, input));
  revalidatePath(`/projects/${project.slug}/crowd`, 'layout');
  return state;
}
