'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { action, Id, Plain, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { changePolicy, dropStagePolicy } from '@/lib/services/crowd/policy/change-policy';

export const putInForce = action([Slug, Plain], async (slug, policy): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const state = await refusalOf(() => changePolicy(database(), actor, { projectId: project.id, policy }));
  if (state.error) return state;
  revalidatePath(`/projects/${project.slug}/crowd`, 'layout');
  redirect(`/projects/${project.slug}/crowd/policy`);
});

export const dropOwnPolicy = action([Slug, Id], async (slug, stageId): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const state = await refusalOf(() => dropStagePolicy(database(), actor, { projectId: project.id, stageId }));
  revalidatePath(`/projects/${project.slug}/crowd`, 'layout');
  return state;
});
