'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form, Slug } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { agree } from '@/lib/crowd/consent';

const Agreement = z.object({
  textId: z.uuid(),
  isAdult: z.literal('yes', 'Only people who are at least 18 years old can take part.'),
});

export const agreeToText = action([Slug, Before, Form], async (slug, _before, form): Promise<FormState> => {
  const { project, actor } = await pageProject(slug, 'work.read');
  const refused = await submitForm(Agreement, form, async ({ textId }) => {
    await agree(database(), actor, { projectId: project.id, textId, isAdult: true });
  });
  if (refused.error) return { error: refused.fields?.isAdult ?? refused.error };
  redirect('/annotate');
});
