'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Id, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { changeModel } from '@/lib/services/training/models';

const State = z.enum(['registered', 'promoted', 'archived']);

export const setState = action([Slug, Id, State], async (slug, modelId, state): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'models.write');
  const outcome = await refusalOf(() =>
    changeModel(database(), actor, {
      projectId: project.id,
      modelId,
      state,
    }),
  );
  revalidatePath(`/projects/${project.slug}/models`, 'layout');
  return outcome;
});
