'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { projectStates } from '@/db/schema';
import { pageProject } from '@/lib/auth/page';
import { updateProject } from '@/lib/projects';

const Slug = z.string().min(1).max(80);

const Details = z.object({
  name: z.string().trim().min(1, 'Give the project a name.').max(120, 'At most 120 characters.'),
  description: z.string().trim().max(2000, 'At most 2000 characters.'),
});

export async function changeDetails(slug: string, _before: FormState, form: FormData): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'project.write');
  const state = await submitForm(Details, form, async (details) => {
    await updateProject(database(), actor, project.id, details);
  });
  revalidatePath(`/projects/${project.slug}`, 'layout');
  return state;
}

export async function changeState(slug: string, next: string): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'project.archive');
  const state = await refusalOf(async () => {
    await updateProject(database(), actor, project.id, { state: z.enum(projectStates).parse(next) });
  });
  revalidatePath(`/projects/${project.slug}`, 'layout');
  return state;
}
