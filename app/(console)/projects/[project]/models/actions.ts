'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Id, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { schedulePredictions } from '@/lib/services/inference/predictions';
import { resetSelection, selectSoon } from '@/lib/services/training/loop/select-next';
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

export const lookAgain = action([Slug], async (slug): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'models.write');
  const state = await refusalOf(async () => {
    await database().transaction((tx) =>
      schedulePredictions(tx, { projectId: project.id, startedBy: actor.userId }),
    );
  });
  revalidatePath(`/projects/${project.slug}/models`, 'layout');
  return state;
});

export const chooseNext = action(
  [Slug, z.object({ stageId: Id, count: z.number(), again: z.boolean() })],
  async (slug, wanted): Promise<FormState> => {
    const { actor, project } = await pageProject(slug, 'crowd.manage');
    const state = await refusalOf(async () => {
      await selectSoon(database(), actor, {
        projectId: project.id,
        ...z.object({ stageId: z.uuid(), count: z.number(), again: z.boolean() }).parse(wanted),
      });
    });
    revalidatePath(`/projects/${project.slug}/models`, 'layout');
    return state;
  },
);

export const askInOrder = action([Slug, Id], async (slug, stageId): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const state = await refusalOf(async () => {
    await resetSelection(database(), actor, { projectId: project.id, stageId });
  });
  revalidatePath(`/projects/${project.slug}/models`, 'layout');
  return state;
});
