'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { ExamBar } from '@/lib/services/crowd/policy/exam-bar';
import { setBar } from '@/lib/services/crowd/policy/set-bar';

const Chosen = z.strictObject({ stageId: z.uuid(), bar: ExamBar, letsIn: z.boolean() });

export const chooseBar = action([Slug, Chosen], async (slug, chosen): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const input = chosen;
  const state = await refusalOf(async () => {
    await setBar(database(), actor, { projectId: project.id, ...input });
  });
  revalidatePath(`/projects/${project.slug}/crowd`, 'layout');
  return state;
});
