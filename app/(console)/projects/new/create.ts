'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import type { DatasetSchema } from '@/lib/core/schema';
import { requireRight } from '@/lib/services/access/page';
import { createProject } from '@/lib/services/projects';
import { FROM_DATASET } from './from-dataset';

/** An empty draft takes over the schema of the first dataset that is imported. */
const placeholder: DatasetSchema = {
  id: 'placeholder',
  name: 'From a dataset',
  description: 'Replaced by the schema of the first dataset that is imported.',
  classes: [{ id: 'object', name: 'Object' }],
  attributeGroups: [],
  attributes: [],
  parts: [],
};

const Input = z.object({
  name: z.string().trim().min(1, 'Give the project a name.').max(120, 'At most 120 characters.'),
  description: z.string().trim().max(2000, 'At most 2000 characters.'),
  preset: z.string({ error: 'Choose a schema.' }).min(1).max(80),
});

export const create = action([Before, Form], async (_before, form): Promise<FormState> => {
  const actor = await requireRight('project.create');
  let slug = '';
  let fromDataset = false;
  const refusal = await submitForm(Input, form, async (input) => {
    const { preset, ...project } = input;
    const schema = preset === FROM_DATASET ? placeholder : undefined;
    ({ slug } = await createProject(database(), actor, { ...project, preset, schema }));
    fromDataset = preset === FROM_DATASET;
  });
  if (refusal.error) return refusal;
  // The navigation around the page lists the projects.
  revalidatePath('/', 'layout');
  redirect(`/projects/${slug}/${fromDataset ? 'images/add' : 'setup'}`);
});
