'use server';

import { revalidatePath } from 'next/cache';
import { action, Before, Form, Slug } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { ConsentDocument, publishText } from '@/lib/services/crowd/consent';

export const publish = action([Slug, Before, Form], async (slug, _before, form): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  // The browser adds fields of its own to a form that is sent without script.
  const known = new FormData();
  for (const name of Object.keys(ConsentDocument.shape)) known.set(name, form.get(name) ?? '');
  const state = await submitForm(ConsentDocument, known, async (document) => {
    await publishText(database(), actor, { projectId: project.id, document });
  });
  revalidatePath(`/projects/${project.slug}/crowd/consent`);
  return state;
});
