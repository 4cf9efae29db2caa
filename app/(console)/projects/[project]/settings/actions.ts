'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { projectStates } from '@/db/schema';
import { pageProject } from '@/lib/services/access/page';
import { updateProject } from '@/lib/services/projects';

const Details = z.object({
  name: z.string().trim().min(1, 'Give the project a name.').max(120, 'At most 120 characters.'),
  description: z.string().trim().max(2000, 'At most 2000 characters.'),
});

export const changeDetails = action([Slug, Before, Form], async (slug, _before, form): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'project.write');
  const state = await submitForm(Details, form, async (details) => {
    await updateProject(database(), actor, project.id, details);
  });
  revalidatePath(`/projects/${project.slug}`, 'layout');
  return state;
});

export const changeState = action(
  [Slug, z.string().pipe(z.enum(projectStates))],
  async (slug, next): Promise<FormState> => {
    const { actor, project } = await pageProject(slug, 'project.archive');
    const state = await refusalOf(async () => {
      await updateProject(database(), actor, project.id, { state: next });
    });
    revalidatePath(`/projects/${project.slug}`, 'layout');
    return state;
  },
);
