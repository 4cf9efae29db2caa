'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { NewEvaluation } from '@/lib/evaluate/new-evaluation';
import { startEvaluation } from '@/lib/evaluate/start-evaluation';

const Slug = z.string().min(1).max(80);
const Form = NewEvaluation.extend({
  images: z.coerce.number().pipe(NewEvaluation.shape.images.unwrap()),
  seed: z.coerce.number().pipe(NewEvaluation.shape.seed.unwrap()),
}).strip();

export async function start(slug: string, _: FormState, form: FormData): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'evaluations.write');
  const asked = Form.safeParse({ ...Object.fromEntries(form), oracle: form.getAll('oracle') });
  if (!asked.success) {
    const [issue] = asked.error.issues;
    return { error: `${String(issue?.path[0] ?? 'The form')}: ${issue?.message}` };
  }
  let started: { id: string } | undefined;
  const state = await refusalOf(async () => {
    started = await startEvaluation(database(), actor, { projectId: project.id, evaluation: asked.data });
  });
  if (state.error || !started) return state;
  const path = `/projects/${project.slug}/evaluations`;
  revalidatePath(path);
  redirect(`${path}/${started.id}`);
}
