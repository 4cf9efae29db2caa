'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { changeModel, type ModelState } from '@/lib/training/models/change-model';

const Slug = z.string().min(1).max(80);
const State = z.enum(['registered', 'promoted', 'archived']);

export async function setState(slug: string, modelId: string, state: ModelState): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'models.write');
  const outcome = await refusalOf(() =>
    changeModel(database(), actor, {
      projectId: project.id,
      modelId: z.uuid().parse(modelId),
      state: State.parse(state),
    }),
  );
  revalidatePath(`/projects/${project.slug}/models`, 'layout');
  return outcome;
}
