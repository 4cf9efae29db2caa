'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { predictSoon } from '@/lib/training/loop/predict-soon';
import { resetSelection, selectSoon } from '@/lib/training/loop/select-next';

const Slug = z.string().min(1).max(80);

export async function lookAgain(slug: string): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'models.write');
  const state = await refusalOf(async () => {
    await database().transaction((tx) => predictSoon(tx, { projectId: project.id, startedBy: actor.userId }));
  });
  revalidatePath(`/projects/${project.slug}/models`, 'layout');
  return state;
}

export async function chooseNext(
  slug: string,
  wanted: { stageId: string; count: number; again: boolean },
): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'crowd.manage');
  const state = await refusalOf(async () => {
    await selectSoon(database(), actor, {
      projectId: project.id,
      ...z.object({ stageId: z.uuid(), count: z.number(), again: z.boolean() }).parse(wanted),
    });
  });
  revalidatePath(`/projects/${project.slug}/models`, 'layout');
  return state;
}

export async function askInOrder(slug: string, stageId: string): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'crowd.manage');
  const state = await refusalOf(async () => {
    await resetSelection(database(), actor, { projectId: project.id, stageId: z.uuid().parse(stageId) });
  });
  revalidatePath(`/projects/${project.slug}/models`, 'layout');
  return state;
}
