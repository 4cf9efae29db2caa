'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { ConsentDocument, publishText } from '@/lib/crowd/consent';

export async function publish(slug: string, _before: FormState, form: FormData): Promise<FormState> {
  const { actor, project } = await pageProject(z.string().max(80).parse(slug), 'crowd.manage');
  // The browser adds fields of its own to a form that is sent without script.
  const known = new FormData();
  for (const name of Object.keys(ConsentDocument.shape)) known.set(name, form.get(name) ?? '');
  const state = await submitForm(ConsentDocument, known, async (document) => {
    await publishText(database(), actor, { projectId: project.id, document });
  });
  revalidatePath(`/projects/${project.slug}/crowd/consent`);
  return state;
}
