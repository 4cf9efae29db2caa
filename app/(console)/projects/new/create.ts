'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { requireRight } from '@/lib/services/access/page';
import { createProject } from '@/lib/services/projects';

const Input = z.object({
  name: z.string().trim().min(1, 'Give the project a name.').max(120, 'At most 120 characters.'),
  description: z.string().trim().max(2000, 'At most 2000 characters.'),
  preset: z.string({ error: 'Choose a schema.' }).min(1).max(80),
});

export const create = action([Before, Form], async (_before, form): Promise<FormState> => {
  const actor = await requireRight('project.create');
  let slug = '';
  const refusal = await submitForm(Input, form, async (input) => {
    ({ slug } = await createProject(database(), actor, input));
  });
  if (refusal.error) return refusal;
  // The navigation around the page lists the projects.
  revalidatePath('/', 'layout');
  redirect(`/projects/${slug}/setup`);
});
