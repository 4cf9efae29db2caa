'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { changePolicy, dropStagePolicy } from '@/lib/crowd/policy/change-policy';
import type { Policy } from '@/lib/quality/policy';

const Slug = z.string().min(1).max(80);

export async function putInForce(slug: string, policy: Policy): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'crowd.manage');
  const state = await refusalOf(() => changePolicy(database(), actor, { projectId: project.id, policy }));
  if (state.error) return state;
  revalidatePath(`/projects/${project.slug}/crowd`, 'layout');
  redirect(`/projects/${project.slug}/crowd/policy`);
}

export async function dropOwnPolicy(slug: string, stageId: string): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'crowd.manage');
  const state = await refusalOf(() =>
    dropStagePolicy(database(), actor, { projectId: project.id, stageId: z.uuid().parse(stageId) }),
  );
  revalidatePath(`/projects/${project.slug}/crowd`, 'layout');
  return state;
}
